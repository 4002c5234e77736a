// The tool `transcribe_file`: transcribes a file in one of the folders that the user allowed.

import { realpath, stat } from 'node:fs/promises'
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
      const file = await allowedFile(path, allowed)
      const address = withQuery('/transcribe', { language, model, stream: true })
      const result = await transcribe(api, address, file, call)
      return segments ? result : { ...result, segments: undefined }
    },
  })
}

async function transcribe(
  api: Api,
  address: string,
  file: string,
  { signal, report }: ToolCall,
): Promise<Transcribed> {
  const body = () => Bun.file(file)
  const events = api.events('POST', address, { body, type: 'application/octet-stream', signal })
  for await (const { event, data } of events) {
    const value = JSON.parse(data)
    if (event === 'progress') report({ progress: value.progress, total: 1, message: 'Transcribing.' })
    if (event === 'error') throw new ApiFailure(value.code, value.detail)
    if (event === 'done') return value
  }
  throw new ApiFailure('broken_off', 'The response of the server was cut off. Try again.')
}

/** The real path of a file, which must be below the real path of an allowed folder: no symbolic link leads out. */
async function allowedFile(path: string, { folders, howToAllow }: AllowedFolders): Promise<string> {
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
  const real = await realpath(resolve(folders[0]!, path)).catch(() => null)
  // The same answer for a missing file and a forbidden one: it must not reveal which files exist elsewhere.
  if (real === null || !roots.some((root) => root !== null && isBelow(root, real))) throw refused
  if (!(await stat(real)).isFile())
    throw new ApiFailure('not_a_file', `${real} is not a file. Name an audio or video file in it.`)
  return real
}

/** Both are real paths. */
const isBelow = (folder: string, path: string): boolean =>
  path.startsWith(folder.endsWith(sep) ? folder : folder + sep)
