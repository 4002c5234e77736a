import type { Capture } from '../../captures/capture.ts'
import { refinedSegments } from '../../captures/refined-segments.ts'
import { oneOf } from '../../lib/schema.ts'
import { formatTranscript, TRANSCRIPT_FORMATS } from '../../transcription/formats.ts'
import { textOf } from './display-title.ts'
import { wireCaptureDetail } from './schema.ts'

export const EXPORT_MEDIA_TYPES = {
  txt: 'text/plain; charset=utf-8',
  md: 'text/markdown; charset=utf-8',
  srt: 'application/x-subrip; charset=utf-8',
  vtt: 'text/vtt; charset=utf-8',
  json: 'application/json; charset=utf-8',
}

type ExportFormat = keyof typeof EXPORT_MEDIA_TYPES

export const EXPORT_FORMATS = [...TRANSCRIPT_FORMATS, 'json'] as const

/** `refined` falls back to the raw text if the capture was not refined. */
export const EXPORT_TEXTS = ['raw', 'refined'] as const

export const exportText = oneOf(EXPORT_TEXTS, {
  description:
    '`raw`: the transcript; `refined`: the refined text, or the transcript if there is none. Default: `refined` in txt and md, `raw` in subtitles and in the segments of JSON',
})

type Exported = { format: ExportFormat; text: (typeof EXPORT_TEXTS)[number] | undefined; title: string }

export async function exportedText(capture: Capture, { format, text, title }: Exported): Promise<string> {
  const segments = text === 'refined' ? await refinedSegments(capture) : capture.segments
  const words = text === 'raw' ? capture.transcriptRaw : textOf(capture)
  if (format === 'json')
    return JSON.stringify({ ...wireCaptureDetail({ ...capture, segments }), text: words }, null, 2)
  return formatTranscript({ text: words, title, segments }, format)
}
