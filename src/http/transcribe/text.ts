// Returns a transcript as plain text, SubRip or WebVTT; shared by all routes that offer these formats.

import { formatTranscript } from '../../transcription/formats.ts'
import type { Transcript } from '../../transcription/transcript.ts'
import type { Representation } from '../contract/route.ts'

const MEDIA_TYPES = { text: 'text/plain', srt: 'application/x-subrip', vtt: 'text/vtt' } as const
export type TextFormat = keyof typeof MEDIA_TYPES

/** Examples in the OpenAPI document. */
export const TEXT_CONTENT: Record<string, Representation> = {
  'text/plain': { example: 'There is a new message.\n' },
  'application/x-subrip': { example: '1\n00:00:00,000 --> 00:00:02,300\nThere is a new message.\n' },
  'text/vtt': { example: 'WEBVTT\n\n00:00:00.000 --> 00:00:02.300\nThere is a new message.\n' },
}

export const transcriptAsText = (
  transcript: Transcript,
  format: TextFormat,
  { numberedAfter = 0 }: { numberedAfter?: number } = {},
): Response =>
  textResponse(formatTranscript({ ...transcript, numberedAfter }, format === 'text' ? 'txt' : format), format)

export const textResponse = (body: string, format: TextFormat): Response =>
  new Response(body, { headers: { 'content-type': `${MEDIA_TYPES[format]}; charset=utf-8` } })
