// The tool `transcribe_file`: transcribes a file in one of the folders that the user allowed.

import { constants } from 'node:fs'
import { type FileHandle, open, realpath, stat } from 'node:fs/promises'
import { resolve, sep } from 'node:path'
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { z } from 'zod/v4'
import { type Api, ApiFailure, withQuery } from './api.ts'
import { addTool, type ToolCall } from './tool.ts'

const transcribedShape = {
  text: z.string(),
  duration: z.number().describe('in seconds'),
  language: z.string().nullable(),
  model: z.string(),
  segments: z
    .array(z.object({ start: z.number(), end: z.number(), text: z.string() }))
    .optional()
    .describe('times in seconds'),
  warnings: z.array(z.object({ code: z.string(), message: z.string() })),
}

type Transcribed = z.output<z.ZodObject<typeof transcribedShape>>

export type AllowedFolders = {
  folders: readonly string[]
  /** how the user allows a folder, for messages: `--allow FOLDER` */
  howToAllow: string
}

export function addTranscribeTool(server: McpServer, api: Api, allowed: AllowedFolders): void {
  const { folders, howToAllow } = allowed
  const where =
    folders.length === 0
      ? `The user has not allowed any folder yet (${howToAllow}).`
      : `Only files below ${folders.join(', ')} are allowed.`
  addTool(server, {
    name: 'transcribe_file',
    title: 'Transcribe an audio or video file',
    description: `Transcribes an audio or video file of this computer, in any common format. Stores nothing. ${where}`,
    input: {
      path: z.string().min(1).max(4096).describe('absolute, or relative to the first allowed folder'),
      language: z.string().optional().describe('spoken language, such as en; detected by default'),
      model: z.string().max(100).optional().describe('a name from the tool models'),
      segments: z.boolean().default(false).describe('true adds the segments with their times'),
    },
    output: transcribedShape,
    async run({ path, language, model, segments }, call) {
      await using file = await openAllowed(path, allowed)
      const address = withQuery('/transcribe', { language, model, stream: true })
      const result = await transcribe(api, address, file, call)
      return segments ? result : { ...result, segments: undefined }
    },
  })
}

async function transcribe(
  api: Api,
  address: string,
  file: FileHandle,
  { signal, report }: ToolCall,
): Promise<Transcribed> {
  const body = () => contentOf(file)
  const events = api.events('POST', address, { body, type: 'application/octet-stream', signal })
  for await (const { event, data } of events) {
    const value = JSON.parse(data)
    if (event === 'progress') report({ progress: value.progress, total: 1, message: 'Transcribing.' })
    if (event === 'error') throw new ApiFailure(value.code, value.detail)
    if (event === 'done') return value
  }
  throw new ApiFailure('broken_off', 'The response of the server was cut off. Try again.')
}

const BLOCK_BYTES = 256 * 1024

/** From the beginning, for each attempt. */
function contentOf(file: FileHandle): ReadableStream<Uint8Array> {
  let position = 0
  return new ReadableStream({
    async pull(controller) {
      const { bytesRead, buffer } = await file.read(new Uint8Array(BLOCK_BYTES), 0, BLOCK_BYTES, position)
      position += bytesRead
      if (bytesRead === 0) controller.close()
      else controller.enqueue(buffer.subarray(0, bytesRead))
    },
  })
}

/**
 * A file whose real path is below that of an allowed folder: no symbolic link leads out. A link that is replaced while
 * we look changes nothing, because the open file must be the one that we looked at.
 */
async function openAllowed(path: string, { folders, howToAllow }: AllowedFolders): Promise<FileHandle> {
  if (folders.length === 0)
    throw new ApiFailure(
      'path_not_allowed',
      `No folder is allowed. The user can allow one with ${howToAllow}.`,
    )
  const refused = new ApiFailure(
    'path_not_allowed',
    `The file must exist below ${folders.join(' or ')}. The user can allow another folder with ${howToAllow}.`,
  )
  const roots = await Promise.all(folders.map((folder) => realpath(folder).catch(() => null)))
  const allowedPath = async () => {
    const real = await realpath(resolve(folders[0]!, path)).catch(() => null)
    // The same answer for a missing file and a forbidden one: it must not reveal which files exist elsewhere.
    if (real === null || !roots.some((root) => root !== null && isBelow(root, real))) throw refused
    return real
  }
  const real = await allowedPath()
  if (!(await stat(real)).isFile())
    throw new ApiFailure('not_a_file', `${real} is not a file. Name an audio or video file in it.`)
  const file = await open(real, READ_ONLY)
  try {
    const [opened, named] = await Promise.all([file.stat(), stat(await allowedPath())])
    if (!opened.isFile() || opened.dev !== named.dev || opened.ino !== named.ino) throw refused
    return file
  } catch (error) {
    await file.close()
    throw error
  }
}

/** The open of a named pipe would wait for a writer. Windows has neither. */
const READ_ONLY = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)

/** Both are real paths. */
const isBelow = (folder: string, path: string): boolean =>
  path.startsWith(folder.endsWith(sep) ? folder : folder + sep)
