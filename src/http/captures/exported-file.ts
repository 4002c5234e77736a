// The file that a capture is exported as: its formats, its fields and its content.

import type { Capture } from '../../captures/capture.ts'
import { refinedSegments } from '../../captures/refined-segments.ts'
import { oneOf } from '../../lib/schema.ts'
import type { CaptionLimits } from '../../transcription/captions.ts'
import { DOCX_MEDIA_TYPE, docxOf } from '../../transcription/docx.ts'
import { formatTranscript, TRANSCRIPT_FORMATS } from '../../transcription/formats.ts'
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
