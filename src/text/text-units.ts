// Finds the characters, words, sentences, lines and paragraphs of a text in any script.

import type { TextRange } from './text-tokens.ts'

export const UNITS = ['character', 'word', 'sentence', 'line', 'paragraph'] as const
export type Unit = (typeof UNITS)[number]

/** The spans of a unit in order, without outer white space; words without adjacent punctuation. */
export function unitSpans(text: string, unit: Unit, language: string | null): TextRange[] {
  switch (unit) {
    case 'character':
      return segmentsOf(text, 'grapheme', language).map(spanOf)
    case 'word':
      return wordsOf(text, language)
    case 'sentence':
      return sentencesOf(text, language)
    case 'line':
      return matchesOf(text, /[^\r\n]+/gu).filter(({ from, to }) => text.slice(from, to).trim() !== '')
    case 'paragraph':
      return matchesOf(text, /[^\r\n]+(?:(?:\r\n|\n|\r)[^\r\n]+)*/gu).flatMap((span) => trimmed(text, span))
  }
}

export const unitsIn = (text: string, unit: Unit, language: string | null): string[] =>
  unitSpans(text, unit, language).map(({ from, to }) => text.slice(from, to))

/** Replaces the spans and keeps the text between them. */
export function mapSpans(
  text: string,
  spans: readonly TextRange[],
  change: (piece: string, index: number) => string,
): string {
  let out = ''
  let at = 0
  for (const [index, { from, to }] of spans.entries()) {
    out += text.slice(at, from) + change(text.slice(from, to), index)
    at = to
  }
  return out + text.slice(at)
}

/** A cache: creating a segmenter takes longer than segmenting a line. It has one entry per language. */
const segmenters = new Map<string, Intl.Segmenter>()

function segmentsOf(text: string, granularity: 'grapheme' | 'word' | 'sentence', language: string | null) {
  const locale = localeOf(language)
  const key = `${granularity} ${locale}`
  const segmenter = segmenters.get(key) ?? new Intl.Segmenter(locale, { granularity })
  segmenters.set(key, segmenter)
  return Array.from(segmenter.segment(text))
}

/** Undefined for a language that Intl rejects with an exception. */
export function localeOf(language: string | null): string | undefined {
  try {
    return Intl.getCanonicalLocales(language ?? [])[0]
  } catch {
    return undefined
  }
}

const spanOf = ({ segment, index }: Intl.SegmentData): TextRange => ({
  from: index,
  to: index + segment.length,
})

/** Hyphens and apostrophes join a word, and so does a slash or a dot in a name. */
function wordsOf(text: string, language: string | null): TextRange[] {
  const spans: TextRange[] = []
  for (const segment of segmentsOf(text, 'word', language)) {
    if (!segment.isWordLike) continue
    const span = spanOf(segment)
    const last = spans.at(-1)
    const between = last ? text.slice(last.to, span.from) : ''
    if (last && /^[-\u2010\u2011'’_./@]$/u.test(between)) last.to = span.to
    else spans.push(span)
  }
  return spans
}

/** Abbreviations end a segment but not a sentence, even before a capital letter. */
const ABBREVIATION =
  /(?:^|[\s(.])(?:mr|mrs|ms|dr|prof|sr|jr|st|vs|no|nr|fig|e\.g|i\.e|approx|gen|col|lt|sgt|capt|rev|hon|mme|mlle|etc|ca|bzw|usw|[a-z])\.$/iu
const LONGEST_ABBREVIATION = 8

function sentencesOf(text: string, language: string | null): TextRange[] {
  const spans: TextRange[] = []
  let open: TextRange | null = null
  for (const span of segmentsOf(text, 'sentence', language).flatMap(smallSentencesIn)) {
    const whole: TextRange = open === null ? span : { from: open.from, to: span.to }
    if (span.to < text.length && endsInAbbreviation(text.slice(whole.from, whole.to))) {
      open = whole
      continue
    }
    open = null
    spans.push(...trimmed(text, whole))
  }
  return spans
}

/** Unicode's segmentation finds no sentence end before a lowercase letter, as in a chat. */
const LOWERCASE_START = /(?=\p{Ll})(?<=\p{L}{2}["'”’»)\]]?\.["'”’»)\]]?\s+)/gu

function smallSentencesIn({ segment, index }: Intl.SegmentData): TextRange[] {
  const starts = Array.from(segment.matchAll(LOWERCASE_START), (match) => match.index)
  const offsets = [0, ...starts, segment.length]
  return offsets.slice(1).map((to, at) => ({ from: index + offsets[at]!, to: index + to }))
}

/** Whether the sentence continues after this point. */
export const endsInAbbreviation = (sentence: string): boolean =>
  !/[\r\n]/u.test(sentence.slice(-1)) && ABBREVIATION.test(sentence.trimEnd().slice(-LONGEST_ABBREVIATION))

const matchesOf = (text: string, pattern: RegExp): TextRange[] =>
  Array.from(text.matchAll(pattern), (match) => ({ from: match.index, to: match.index + match[0].length }))

/** Empty if there is only white space. */
function trimmed(text: string, { from, to }: TextRange): TextRange[] {
  const piece = text.slice(from, to)
  const inner = piece.trim()
  if (inner === '') return []
  const start = from + piece.indexOf(inner)
  return [{ from: start, to: start + inner.length }]
}
