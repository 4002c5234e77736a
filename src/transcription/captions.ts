// Splits segments at word times into captions within limits for line length, number of lines and duration.

import type { Segment } from '../engine/engine.ts'
import { UNSPACED_SCRIPTS } from '../text/text-tokens.ts'

export type CaptionLimits = { lineCharacters: number; lines: number; seconds: number }

/** Common in broadcasting. */
export const USUAL_LIMITS: CaptionLimits = { lineCharacters: 42, lines: 2, seconds: 7 }

type Timed = Pick<Segment, 'startMs' | 'endMs' | 'text'>
export type TimedSegment = Timed & { words?: Segment['words'] }

/** A word with its punctuation. */
type Token = { text: string; width: number; startMs: number; endMs: number; isApart: boolean }

const MARKS = /\p{M}/gu
const UNSPACED = new RegExp(`[${UNSPACED_SCRIPTS}]`, 'v')
const SENTENCE_END = /[.?!…。？！]["”’»)]*$/u
const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' })

export const widthOf = (text: string): number => [...text.replace(MARKS, '')].length

/** Segments that end where a caption ends; lines are separated by `\n`. A single word may exceed a limit. */
export function captionsOf(segments: readonly TimedSegment[], limits: CaptionLimits): Timed[] {
  return segments.flatMap((segment) => {
    const captions: Token[][] = []
    for (const token of tokensOf(segment)) {
      const last = captions.at(-1)
      if (last !== undefined && !isComplete(last, limits) && fits([...last, token], limits)) last.push(token)
      else captions.push([token])
    }
    return captions.map((tokens) => ({
      startMs: tokens[0]!.startMs,
      endMs: tokens.at(-1)!.endMs,
      text: textOf(tokens, limits),
    }))
  })
}

function fits(tokens: readonly Token[], { lineCharacters, lines, seconds }: CaptionLimits): boolean {
  if (tokens.at(-1)!.endMs - tokens[0]!.startMs > seconds * 1000) return false
  return lineStarts(tokens, lineCharacters, lineCharacters).length <= lines
}

/** A caption that is half full ends with its sentence. */
function isComplete(tokens: readonly Token[], { lineCharacters, lines }: CaptionLimits): boolean {
  const width = tokens.reduce((sum, token) => sum + token.width + 1, 0)
  return width > (lineCharacters * lines) / 2 && SENTENCE_END.test(tokens.at(-1)!.text)
}

/** In lines of similar length, unless that takes one line more. */
function textOf(tokens: readonly Token[], { lineCharacters }: CaptionLimits): string {
  const full = lineStarts(tokens, lineCharacters, lineCharacters)
  const width = tokens.reduce((sum, { width, isApart }) => sum + width + (isApart ? 1 : 0), 0)
  const even = lineStarts(tokens, lineCharacters, width / full.length)
  const starts = even.length > full.length ? full : even
  return starts
    .map((start, line) =>
      tokens
        .slice(start, starts[line + 1])
        .map(({ text, isApart }, at) => (isApart && at > 0 ? ` ${text}` : text))
        .join(''),
    )
    .join('\n')
}

/** The index of the first token of each line. @param even a word that crosses this width goes where more of it is */
function lineStarts(tokens: readonly Token[], widest: number, even: number): number[] {
  const starts: number[] = []
  let line = 0
  for (const [at, { width, isApart }] of tokens.entries()) {
    const longer = line + (isApart ? 1 : 0) + width
    if (at > 0 && longer <= widest && line + width / 2 <= even) line = longer
    else {
      starts.push(at)
      line = width
    }
  }
  return starts
}

function tokensOf({ text, startMs, endMs, words = [] }: TimedSegment): Token[] {
  const whole = text.replace(/\s+/g, ' ').trim()
  if (whole === '') return []
  return timedTokens(whole, words) ?? evenTokens(whole, { startMs, endMs })
}

/** Null if the words are not those of the text. */
function timedTokens(whole: string, words: Segment['words']): Token[] | null {
  const tokens: Token[] = []
  let from = 0
  for (const [index, { word, startMs, endMs }] of words.entries()) {
    const spoken = word.trim()
    const at = spoken === '' ? -1 : whole.indexOf(spoken, from)
    if (at === -1 || /[\p{L}\p{N}]/u.test(whole.slice(from, at))) return null
    const next = words[index + 1]?.word.trim()
    const until = next === undefined ? whole.length : whole.indexOf(next, at + spoken.length)
    if (until === -1) return null
    // Punctuation after the word belongs to it, an opening quotation mark to the next.
    const space = whole.indexOf(' ', at + spoken.length)
    const end = space !== -1 && space < until ? space : until
    tokens.push(tokenOf(whole, from, end, { startMs, endMs }))
    from = end
  }
  return tokens.length === 0 || from < whole.length ? null : tokens
}

/** Without word times, each caption gets a share of the segment's time. */
function evenTokens(whole: string, { startMs, endMs }: { startMs: number; endMs: number }): Token[] {
  const parts = UNSPACED.test(whole)
    ? [...segmenter.segment(whole)].map(({ segment }) => segment)
    : whole.split(/(?= )/)
  const timeAt = (place: number) => startMs + ((endMs - startMs) * place) / whole.length
  const tokens: Token[] = []
  let from = 0
  for (const part of parts) {
    const end = from + part.length
    if (part.trim() !== '')
      tokens.push(tokenOf(whole, from, end, { startMs: timeAt(from), endMs: timeAt(end) }))
    from = end
  }
  return tokens
}

function tokenOf(whole: string, from: number, end: number, times: { startMs: number; endMs: number }): Token {
  const text = whole.slice(from, end).trim()
  const isApart = whole[from] === ' ' || whole[from - 1] === ' '
  return { text, width: widthOf(text), isApart, ...times }
}
