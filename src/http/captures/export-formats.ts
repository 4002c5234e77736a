// The formats that a capture is taken out in, and what a file of each says.
// How a transcript looks as a text is src/transcription/formats.ts.

import type { Capture } from '../../captures/capture.ts'
import { formatTranscript, TRANSCRIPT_FORMATS } from '../../transcription/formats.ts'
import { wireCaptureDetail } from './schema.ts'
import { textOf } from './title.ts'

export const EXPORT_MEDIA_TYPES = {
  txt: 'text/plain; charset=utf-8',
  md: 'text/markdown; charset=utf-8',
  srt: 'application/x-subrip; charset=utf-8',
  vtt: 'text/vtt; charset=utf-8',
  json: 'application/json; charset=utf-8',
}

type ExportFormat = keyof typeof EXPORT_MEDIA_TYPES

export const EXPORT_FORMATS = [...TRANSCRIPT_FORMATS, 'json'] as const

export function exportedText(capture: Capture, format: ExportFormat, title: string): string {
  if (format === 'json') return JSON.stringify(wireCaptureDetail(capture), null, 2)
  return formatTranscript({ text: textOf(capture), title, segments: capture.segments }, format)
}
