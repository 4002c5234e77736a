// A transcript as a file: plain text, Markdown, SubRip or WebVTT with captions of readable length. JSON is made in http/.

import { UNSPACED_SCRIPTS } from '../text/text-tokens.ts'
import { type CaptionLimits, captionsOf, type TimedSegment, widthOf } from './captions.ts'

/** About as many full-width characters fit into a line at subtitle size. */
const WIDEST = 30

const UNSPACED = new RegExp(`[${UNSPACED_SCRIPTS}]`, 'v')
/** Splits words of every script; the segmenter has its own dictionaries per language. */
const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' })

const runsOff = (text: string): boolean =>
  text.split(' ').some((run) => UNSPACED.test(run) && widthOf(run) > WIDEST)

/** Breaks text that would run off into lines of similar length, between words. Other text is returned unchanged. */
function captionLines(text: string): string {
  if (!runsOff(text)) return text
  const even = widthOf(text) / Math.ceil(widthOf(text) / WIDEST)
  const lines: string[] = []
  for (const part of wordsWithSigns(text)) {
    const line = lines.at(-1)
    // A word that crosses the boundary goes to the side that holds more of it.
    const hasRoom = line !== undefined && widthOf(line) + widthOf(part) / 2 <= even
    if (hasRoom && widthOf(line + part.trimEnd()) <= WIDEST) lines[lines.length - 1] = line + part
    else lines.push(part)
  }
  return lines.map((line) => line.trim()).join('\n')
}

const OPENS = /[\p{Ps}\p{Pi}]$/u

/** Words with their punctuation: no line begins with a full stop or ends with an opening bracket. */
function wordsWithSigns(text: string): string[] {
  const parts: string[] = []
  for (const { segment, isWordLike } of segmenter.segment(text)) {
    const last = parts.at(-1)
    const opens = OPENS.test(segment)
    if (last === undefined || ((isWordLike || opens) && !OPENS.test(last))) parts.push(segment)
    else parts[parts.length - 1] = last + segment
  }
  return parts
}

export const TRANSCRIPT_FORMATS = ['txt', 'md', 'srt', 'vtt'] as const
export type TranscriptFormat = (typeof TRANSCRIPT_FORMATS)[number]

/** A transcript, or a capture's text with its title. */
export type FormattableTranscript = {
  text: string
  segments: TimedSegment[]
  title?: string | null
  /** cue numbers start after this one */
  numberedAfter?: number
  /** for subtitles; by default each segment is a caption */
  limits?: CaptionLimits | null
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
function cuesOf({ segments, numberedAfter = 0, limits = null }: FormattableTranscript): Cue[] {
  const captions =
    limits === null
      ? segments.map((segment) => ({ ...segment, text: captionLines(oneLine(segment.text)) }))
      : captionsOf(segments, limits)
  return captions
    .map(({ startMs, endMs, text }) => ({ startMs, endMs: Math.max(endMs, startMs + 1), text }))
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
