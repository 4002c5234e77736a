// The file that a capture is exported as: its formats, its fields and its content.

import { type Static, Type } from '@sinclair/typebox'
import type { Capture } from '../../captures/capture.ts'
import { refinedSegments } from '../../captures/refined-segments.ts'
import { oneOf } from '../../lib/schema.ts'
import { type CaptionLimits, USUAL_LIMITS } from '../../transcription/captions.ts'
import { DOCX_MEDIA_TYPE, docxOf } from '../../transcription/docx.ts'
import { formatTranscript, TRANSCRIPT_FORMATS } from '../../transcription/formats.ts'
import { type strictObject, wholeNumber } from '../kernel/schema.ts'
import { textOf, wireCaptureDetail } from './schema.ts'

export const EXPORT_MEDIA_TYPES = {
  txt: 'text/plain; charset=utf-8',
  md: 'text/markdown; charset=utf-8',
  docx: DOCX_MEDIA_TYPE,
  srt: 'application/x-subrip; charset=utf-8',
  vtt: 'text/vtt; charset=utf-8',
  json: 'application/json; charset=utf-8',
}

type ExportFormat = keyof typeof EXPORT_MEDIA_TYPES

export const EXPORT_FORMATS = [...TRANSCRIPT_FORMATS, 'docx', 'json'] as const

/** `refined` falls back to the raw text if the capture was not refined. */
const EXPORT_TEXTS = ['raw', 'refined'] as const

export const exportText = oneOf(EXPORT_TEXTS, {
  description:
    '`raw`: the transcript; `refined`: the refined text, or the transcript if there is none. Default: `refined` in txt, md and docx, `raw` in subtitles and in the segments of JSON',
})

const captionLimit = (description: string, minimum: number, maximum: number) =>
  Type.Optional(wholeNumber({ description, minimum, maximum }))

/** Without any of them, each segment is a caption; with some, the others have usual values. */
export const captionFields = {
  max_line_characters: captionLimit(
    'subtitles: the longest line; with any of these limits, the others are 42 characters, 2 lines and 7 seconds by default. Without them, each segment is a caption',
    10,
    200,
  ),
  max_lines: captionLimit('subtitles: lines of a caption', 1, 5),
  max_seconds: captionLimit('subtitles: the longest caption', 1, 60),
}

type WireLimits = Static<ReturnType<typeof strictObject<typeof captionFields>>>

export function captionLimitsOf({
  max_line_characters,
  max_lines,
  max_seconds,
}: WireLimits): CaptionLimits | null {
  if ((max_line_characters ?? max_lines ?? max_seconds) === undefined) return null
  return {
    lineCharacters: max_line_characters ?? USUAL_LIMITS.lineCharacters,
    lines: max_lines ?? USUAL_LIMITS.lines,
    seconds: max_seconds ?? USUAL_LIMITS.seconds,
  }
}

type Exported = {
  format: ExportFormat
  text: (typeof EXPORT_TEXTS)[number] | undefined
  title: string
  limits: CaptionLimits | null
}

export async function exportedFile(
  capture: Capture,
  { format, text, title, limits }: Exported,
): Promise<string | Uint8Array<ArrayBuffer>> {
  const segments = text === 'refined' ? await refinedSegments(capture) : capture.segments
  const words = text === 'raw' ? capture.transcriptRaw : textOf(capture)
  if (format === 'json')
    return JSON.stringify({ ...wireCaptureDetail({ ...capture, segments }), text: words }, null, 2)
  if (format === 'docx') return docxOf({ title, text: words, modifiedAt: capture.recordedAt })
  return formatTranscript({ text: words, title, segments, limits }, format)
}
