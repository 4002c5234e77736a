// A transcript as a file: plain text, Markdown, SubRip or WebVTT. JSON is made in http/.

import type { Segment } from '../engine/engine.ts'
import { captionLines } from './caption-lines.ts'

export const TRANSCRIPT_FORMATS = ['txt', 'md', 'srt', 'vtt'] as const
export type TranscriptFormat = (typeof TRANSCRIPT_FORMATS)[number]

/** A transcript, or a capture's text with its title. */
export type FormattableTranscript = {
  text: string
  segments: Pick<Segment, 'startMs' | 'endMs' | 'text'>[]
  title?: string | null
  /** cue numbers start after this one */
  numberedAfter?: number
}

/** Ends with a newline unless it is empty. A transcript without speech results in a valid file without cues. */
export function formatTranscript(transcript: FormattableTranscript, format: TranscriptFormat): string {
  switch (format) {
    case 'txt':
      return lines(transcript.text.trim())
    case 'md':
      return lines(markdown(transcript))
    case 'srt':
      return cuesOf(transcript).map(srtCue).join('\n')
    case 'vtt':
      return ['WEBVTT\n', ...cuesOf(transcript).map(vttCue)].join('\n')
  }
}

const lines = (text: string) => (text === '' ? '' : `${text}\n`)

function markdown({ title, text }: FormattableTranscript): string {
  const heading = title ? `# ${escapeMarkdown(oneLine(title))}` : ''
  const paragraphs = text
    .trim()
    .split(/\n{2,}/)
    .map(escapeMarkdown)
  return [heading, ...paragraphs].filter((part) => part !== '').join('\n\n')
}

/** Spoken text is prose, so markup is escaped. */
const escapeMarkdown = (text: string) =>
  text
    .replace(/[\\`*_[\]<]/g, '\\$&')
    .replace(/^(\s*)([#>+-])(?=\s|#|>)/gm, '$1\\$2')
    .replace(/^(\s*\d+)([.)])(?=\s)/gm, '$1\\$2')

type Cue = { number: number; startMs: number; endMs: number; text: string }

/** A cue has text, a positive duration and no empty line, which would end it. */
function cuesOf({ segments, numberedAfter = 0 }: FormattableTranscript): Cue[] {
  return segments
    .map(({ startMs, endMs, text }) => ({
      startMs,
      endMs: Math.max(endMs, startMs + 1),
      text: captionLines(oneLine(text)),
    }))
    .filter(({ text }) => text !== '')
    .map((cue, index) => ({ number: numberedAfter + index + 1, ...cue }))
}

const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim()

// SubRip has no escapes; only an arrow could be mistaken for a time line.
const srtCue = ({ number, startMs, endMs, text }: Cue) =>
  `${number}\n${clock(startMs, ',')} --> ${clock(endMs, ',')}\n${text.replaceAll('-->', '->')}\n`

const vttCue = ({ startMs, endMs, text }: Cue) =>
  `${clock(startMs, '.')} --> ${clock(endMs, '.')}\n${escapeVtt(text)}\n`

const escapeVtt = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** `01:02:03,456`; hours have at least two digits. */
function clock(ms: number, separator: ',' | '.'): string {
  const two = (value: number) => String(Math.floor(value)).padStart(2, '0')
  const whole = Math.max(0, Math.round(ms))
  const time = [whole / 3_600_000, (whole / 60_000) % 60, (whole / 1000) % 60].map(two).join(':')
  return `${time}${separator}${String(whole % 1000).padStart(3, '0')}`
}
