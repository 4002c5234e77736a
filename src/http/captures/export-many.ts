import { type Static, Type } from '@sinclair/typebox'
import type { Capture } from '../../captures/capture.ts'
import type { Captures } from '../../captures/captures.ts'
import { type ArchiveFile, zipOf } from '../../captures/export-archive.ts'
import { createExportNames } from '../../captures/export-names.ts'
import { oneOf } from '../../lib/schema.ts'
import { problemResponse } from '../contract/problem.ts'
import { defineRoute, type Route } from '../contract/route.ts'
import { strictObject } from '../contract/schema.ts'
import { contentDisposition } from '../server/file-response.ts'
import { titleOf } from './display-title.ts'
import { EXPORT_FORMATS, exportedText, exportText } from './export-formats.ts'
import { resolveSelection, selectionFields } from './selection-schema.ts'

const ExportManySchema = strictObject(
  {
    ...selectionFields,
    format: Type.Optional(oneOf(EXPORT_FORMATS, { description: 'format of the texts', default: 'txt' })),
    text: Type.Optional(exportText),
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
      const archive = zipOf(filesOf(captures, { ids, asked: body, signal: request.signal }))
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

type Wanted = { ids: string[]; asked: ExportAsked; signal: AbortSignal }

/** Reads each capture only when the archive reaches it. */
async function* filesOf(captures: Captures, { ids, asked, signal }: Wanted): AsyncGenerator<ArchiveFile> {
  const { format = 'txt', text, audio = false } = asked
  const nameOf = createExportNames()
  for (const id of ids) {
    if (signal.aborted) return
    const capture = await captures.get(id)
    if (capture === null) continue
    const title = titleOf(capture)
    const { recordedAt } = capture
    const stem = nameOf({ recordedAt, title })
    const modifiedAt = recordedAt
    const content = { text: await exportedText(capture, { format, text, title }) }
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
