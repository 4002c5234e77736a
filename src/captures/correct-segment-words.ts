// Word times of a segment after a correction by the user: unchanged text keeps its times, new text takes the times of
// what it replaces. Compares characters, so that it works for scripts without spaces, too.

import type { Segment, Word } from '../engine/engine.ts'
import { UNSPACED_SCRIPTS } from '../text/unspaced-scripts.ts'
import { compared } from './compare.ts'

type Span = { startMs: number; endMs: number }

/** A character of the new text, its time, and whether that time is known or interpolated between neighbours. */
type Letter = Span & { anchored: boolean; from: Word | null }

/** Beyond this many edits the texts are treated as unrelated: the new text replaces the old one as a whole. */
const MAX_EDITS = 1000

const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' })
const UNSPACED = new RegExp(`[${UNSPACED_SCRIPTS}]`, 'u')

/** Probabilities come from the engine, so a word that the user wrote has none. Segments without words get none. */
export async function withCorrectedText(segment: Segment, text: string): Promise<Segment> {
  if (segment.words.length === 0) return { ...segment, text }
  const texts = wordsOf(text)
  const letters = await timedLetters(segment.words, texts.flatMap(lettersOf))
  let at = 0
  const words = texts.map((word): Word => {
    const own = letters.slice(at, at + lettersOf(word).length)
    at += own.length
    const same = own[0]?.from
    if (same && same.word.trim() === word && own.every(({ from }) => from === same)) return same
    const known = own.filter(({ anchored }) => anchored)
    const [first, last] = [(known[0] ?? own[0])!, (known.at(-1) ?? own.at(-1))!]
    return { word, startMs: Math.round(first.startMs), endMs: Math.round(last.endMs), probability: null }
  })
  return { ...segment, text, words }
}

/** Words with their punctuation, as the engines return them. */
function wordsOf(text: string): string[] {
  return text.split(/\s+/u).flatMap((chunk) => {
    if (!UNSPACED.test(chunk)) return chunk === '' ? [] : [chunk]
    const words: string[] = []
    for (const { segment, isWordLike } of segmenter.segment(chunk)) {
      if (isWordLike || words.length === 0) words.push(segment)
      else words.push(words.pop() + segment)
    }
    return words
  })
}

const lettersOf = (word: string): string[] => [...word.trim()]

async function timedLetters(words: Word[], wanted: string[]): Promise<Letter[]> {
  const spoken = words.flatMap(lettersOfWord)
  const found = await compared(spoken.map(keyOf), wanted.map(lower), { maxEdits: MAX_EDITS })
  const changes = found ?? [
    { value: wanted, count: spoken.length, removed: true, added: false },
    { value: wanted, count: wanted.length, removed: false, added: true },
  ]
  const letters: Letter[] = []
  let at = 0
  let replacedFrom: number | null = null
  for (const { count, added, removed } of changes) {
    if (removed) replacedFrom = at
    else if (added) letters.push(...spread(count, spoken, replacedFrom ?? at, at))
    else letters.push(...spoken.slice(at, at + count).map((letter) => ({ ...letter, anchored: true })))
    if (!removed) replacedFrom = null
    if (!added) at += count
  }
  return letters
}

type SpokenLetter = Span & { letter: string; from: Word }

/** The characters of a word share its time evenly. */
function lettersOfWord(word: Word): SpokenLetter[] {
  const letters = lettersOf(word.word)
  const each = (word.endMs - word.startMs) / letters.length
  return letters.map((letter, index) => ({
    letter,
    from: word,
    startMs: word.startMs + index * each,
    endMs: index + 1 === letters.length ? word.endMs : word.startMs + (index + 1) * each,
  }))
}

const lower = (letter: string): string => letter.toLowerCase()
const keyOf = ({ letter }: SpokenLetter): string => lower(letter)

/** New characters in place of spoken ones (`from` to `to`, exclusive), or between two of them. */
function spread(count: number, spoken: SpokenLetter[], from: number, to: number): Letter[] {
  const anchored = to > from
  const before = spoken[from - 1]?.endMs ?? spoken[0]!.startMs
  const startMs = anchored ? spoken[from]!.startMs : before
  const endMs = anchored ? spoken[to - 1]!.endMs : (spoken[to]?.startMs ?? before)
  const each = Math.max(0, endMs - startMs) / count
  return Array.from({ length: count }, (_, index) => ({
    startMs: startMs + index * each,
    endMs: startMs + (index + 1) * each,
    anchored,
    from: null,
  }))
}
