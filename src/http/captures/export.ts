import { type FileHandle, open } from 'node:fs/promises'
import { type Static, Type } from '@sinclair/typebox'
import { makeZip } from 'client-zip'
import { type Capture, captureNotFound } from '../../captures/capture.ts'
import type { Captures } from '../../captures/captures.ts'
import { nullIfMissing } from '../../lib/os-errors.ts'
import { oneOf } from '../../lib/schema.ts'
import { DOCX_MEDIA_TYPE } from '../../transcription/docx.ts'
import { captionFields, captionLimitsOf } from '../fields/caption-limits.ts'
import { ticketInQuery } from '../fields/fields.ts'
import { failureResponse, problemResponse } from '../kernel/problem.ts'
import { defineRoute, type Route } from '../kernel/route.ts'
import { strictObject } from '../kernel/schema.ts'
import { contentDisposition } from '../server/file-response.ts'
import { EXPORT_FORMATS, EXPORT_MEDIA_TYPES, exportedFile, exportText } from './exported-file.ts'
import {
  CaptureDetailSchema,
  captureExample,
  captureParams,
  resolveSelection,
  selectionFields,
  titleOf,
} from './schema.ts'

export const exportRoute = (captures: Captures): Route =>
  defineRoute(
    {
      method: 'GET',
      path: '/captures/{id}/export',
      operationId: 'exportCapture',
      summary: 'Download the text of a capture',
      description:
        'Text, Markdown and DOCX contain the refined text if there is one; subtitles contain the transcript with its times; JSON contains everything. `text` selects one of the two for any format. Refined subtitles take the times of the words that they are derived from.',
      tag: 'captures',
      params: captureParams,
      query: strictObject({
        format: Type.Optional(oneOf(EXPORT_FORMATS, { default: 'txt' })),
        text: Type.Optional(exportText),
        ...captionFields,
        ticket: ticketInQuery,
      }),
      responses: {
        200: {
          description: 'The file',
          headers: { 'Content-Disposition': 'suggested file name' },
          content: {
            'text/plain': { example: captureExample.transcript_raw },
            'text/markdown': { example: `# ${captureExample.title}\n\n${captureExample.transcript_raw}` },
            [DOCX_MEDIA_TYPE]: {},
            'application/x-subrip': {
              example: '1\n00:00:00,000 --> 00:00:02,300\nThere is a new message.\n',
            },
            'text/vtt': { example: 'WEBVTT\n\n00:00:00.000 --> 00:00:02.300\nThere is a new message.\n' },
            'application/json': {
              schema: CaptureDetailSchema,
              example: { ...captureExample, segments: [] },
            },
          },
        },
      },
      problems: ['capture_not_found'],
    },
    async (_request, { params, query: { format = 'txt', text, ticket: _ticket, ...limits } }) => {
      const capture = await captures.get(params.id)
      if (capture === null) return failureResponse(captureNotFound(params.id))
      const title = titleOf(capture)
      const name = (title || capture.id).replace(/\.[a-z0-9]{1,5}$/i, '')
      return new Response(
        await exportedFile(capture, { format, text, title, limits: captionLimitsOf(limits) }),
        {
          headers: {
            'content-type': EXPORT_MEDIA_TYPES[format],
            'content-disposition': contentDisposition(`${name}.${format}`),
          },
        },
      )
    },
  )

export type ArchiveFile = {
  name: string
  modifiedAt: Date
  /** the content itself, or the absolute path of a file */
  content: { written: string | Uint8Array<ArrayBuffer> } | { path: string; bytes: number }
}

const CHUNK_BYTES = 256 * 1024

/**
 * Cancelling the stream stops the reading, and so does a read error. Files that were deleted meanwhile are left out.
 */
export function zipOf(files: AsyncGenerator<ArchiveFile>): ReadableStream<Uint8Array> {
  async function* entries() {
    for await (const { name, modifiedAt, content } of files) {
      if ('written' in content) {
        yield { name, lastModified: modifiedAt, input: content.written }
        continue
      }
      const file = await open(content.path, 'r').catch(nullIfMissing)
      if (file === null) continue
      // A file left open ends a Bun process, so it is closed on every exit from this block.
      try {
        yield { name, lastModified: modifiedAt, size: content.bytes, input: bytesOf(file) }
      } finally {
        await file.close()
      }
    }
  }
  const all = entries()
  // Without `return` and `throw`: the archive would call them when it is cancelled, and drop their errors.
  const reader = makeZip({ [Symbol.asyncIterator]: () => ({ next: () => all.next() }) }).getReader()
  /** Also waits for a file that is being opened. */
  const release = () => all.return()
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await reader.read()
        if (done) controller.close()
        else controller.enqueue(value)
      } catch (error) {
        await release()
        throw error
      }
    },
    async cancel() {
      await reader.cancel()
      await release()
    },
  })
}

async function* bytesOf(file: FileHandle): AsyncGenerator<Uint8Array> {
  for (;;) {
    const { bytesRead, buffer } = await file.read(new Uint8Array(CHUNK_BYTES), 0, CHUNK_BYTES, null)
    if (bytesRead === 0) return
    yield buffer.subarray(0, bytesRead)
  }
}

const MAX_CHARACTERS = 80

/** Forbidden on Windows, in the archive itself, or awkward in a shell. */
const UNSAFE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}<>:"/\\|?*]/gu
/** Devices on Windows, with any extension. */
const RESERVED = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i

/** `2026-01-31 title`, without an extension; the same title a second time becomes `2026-01-31 title (2)`. */
export type ExportNames = (capture: { recordedAt: Date; title: string }) => string

/** Remembers the names it returned, about 100 bytes each. */
export function createExportNames(): ExportNames {
  /** number of uses per name, compared as file systems compare names */
  const given = new Map<string, number>()
  return ({ recordedAt, title }) => {
    const wanted = `${dayOf(recordedAt)} ${safe(title)}`.trimEnd()
    for (;;) {
      const key = wanted.toLowerCase()
      const times = (given.get(key) ?? 0) + 1
      given.set(key, times)
      const name = times === 1 ? wanted : `${wanted} (${times})`
      if (times === 1) return name
      // A user's own title may be "title (2)".
      if (!given.has(name.toLowerCase())) {
        given.set(name.toLowerCase(), 1)
        return name
      }
    }
  }
}

function safe(title: string): string {
  const plain = title
    .normalize('NFC')
    .replace(UNSAFE, ' ')
    .replace(/\s+/g, ' ')
    .replace(/\.[a-z0-9]{1,5}$/i, '')
    .replace(/^[\s.]+/, '')
  const short = [...plain]
    .slice(0, MAX_CHARACTERS)
    .join('')
    .replace(/[\s.]+$/, '')
  return RESERVED.test(short) ? `_${short}` : short
}

/** Local time, by this computer's clock. */
function dayOf(time: Date): string {
  const two = (value: number) => String(value).padStart(2, '0')
  return `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`
}

const ExportManySchema = strictObject(
  {
    ...selectionFields,
    format: Type.Optional(oneOf(EXPORT_FORMATS, { description: 'format of the texts', default: 'txt' })),
    text: Type.Optional(exportText),
    ...captionFields,
    audio: Type.Optional(
      Type.Boolean({ description: 'whether the archive also contains the recordings', default: false }),
    ),
  },
  { $id: 'ExportManyRequest' },
)
type ExportAsked = Static<typeof ExportManySchema>

export const exportManyRoute = (captures: Captures): Route =>
  defineRoute(
    {
      method: 'POST',
      path: '/captures/export',
      operationId: 'exportCaptures',
      summary: 'Download many captures',
      description:
        'Streams a zip archive. For each capture it contains the text, named like `2026-01-31 title.txt`, and on request the recording under the same name. Captures that are deleted in the meantime are omitted, and so are recordings that no longer exist.',
      tag: 'captures',
      body: {
        kind: 'json',
        schema: ExportManySchema,
        example: { filter: { starred: true }, format: 'md', audio: true },
      },
      resolve: resolveSelection,
      responses: {
        200: {
          description: 'The archive',
          headers: { 'Content-Disposition': 'suggested file name' },
          content: { 'application/zip': {} },
        },
      },
      problems: ['capture_not_found'],
    },
    async (request, { body, found: which }) => {
      const { ids, missing } = await captures.ids(which)
      if (missing.length > 0) return problemResponse({ code: 'capture_not_found', detail: notThere(missing) })
      const archive = zipOf(filesOf(captures, { ids, requested: body, signal: request.signal }))
      const day = new Date().toISOString().slice(0, 10)
      return new Response(archive, {
        headers: {
          'content-type': 'application/zip',
          'content-disposition': contentDisposition(`captures ${day}.zip`),
        },
      })
    },
  )

const MAX_NAMED = 5

function notThere(missing: string[]): string {
  const named = missing.slice(0, MAX_NAMED).join(', ')
  const more = missing.length > MAX_NAMED ? ` and ${missing.length - MAX_NAMED} more` : ''
  return `Capture not found: ${named}${more}. Nothing was exported.`
}

type Wanted = { ids: string[]; requested: ExportAsked; signal: AbortSignal }

/** Reads each capture only when the archive reaches it. */
async function* filesOf(captures: Captures, { ids, requested, signal }: Wanted): AsyncGenerator<ArchiveFile> {
  const { format = 'txt', text, audio = false } = requested
  const nameOf = createExportNames()
  for (const id of ids) {
    if (signal.aborted) return
    const capture = await captures.get(id)
    if (capture === null) continue
    const title = titleOf(capture)
    const { recordedAt } = capture
    const stem = nameOf({ recordedAt, title })
    const modifiedAt = recordedAt
    const limits = captionLimitsOf(requested)
    const content = { written: await exportedFile(capture, { format, text, title, limits }) }
    yield { name: `${stem}.${format}`, modifiedAt, content }
    const recording = audio ? await recordingOf(captures, capture) : null
    if (recording !== null) yield { name: `${stem}${recording.extension}`, modifiedAt, content: recording }
  }
}

async function recordingOf(captures: Captures, { id, audioPath }: Capture) {
  const found = await captures.audioFile(id)
  if (!found.ok) return null
  const { path, bytes } = found.value
  return { path, bytes, extension: audioPath.slice(audioPath.lastIndexOf('.')) }
}
