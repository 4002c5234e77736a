// Moves words into the speech spans: none in a pause.
// The detector's edges are accurate to some hundredths of a second, the engine's times to tenths.

import type { SpeechSpan } from '../audio/speech-spans.ts'
import { SAMPLE_RATE, type Segment, type Word } from '../engine/engine.ts'

type Speech = { startMs: number; endMs: number }

const ENDS_SENTENCE = /[.?!…。？！]["'”’)]*$/u
const ENDS_PHRASE = /[.,;:!?…。、，！？]["'”’)]*$/u
/** Upper limit of the cost of one misplaced word. */
const MAX_MISPLACED_MS = 1000
/** Upper limit of the cost of a pause in the middle of a phrase. */
const MAX_BREAK_IN_PHRASE_MS = 2000
const SENTENCE_WITHOUT_PAUSE_MS = 500
/** The first sound of a word is softer than the detector's threshold. */
const LEAD_MS = 80

/**
 * Segments on the recording's clock with their words moved into the spans, in order and not overlapping.
 * Segments without words keep their own times.
 */
export function placeWords(segments: Segment[], spans: SpeechSpan[]): Segment[] {
  const words = segments.flatMap((segment) => segment.words)
  const speech = spans.map(speechOf).filter(({ startMs, endMs }) => endMs > startMs)
  if (words.length === 0 || speech.length === 0) return segments
  const counts = share(words, speech)
  const placed: Word[] = []
  for (const [index, span] of speech.entries()) {
    placed.push(...fit(words.slice(placed.length, placed.length + counts[index]!), span))
  }
  return segments.map((segment) => {
    const own = placed.splice(0, segment.words.length)
    if (own.length === 0) return segment
    return { ...segment, words: own, startMs: own[0]!.startMs, endMs: own.at(-1)!.endMs }
  })
}

const speechOf = ({ fromSample, speechFromSample, speechToSample }: SpeechSpan): Speech => ({
  startMs: Math.round(
    Math.max((fromSample * 1000) / SAMPLE_RATE, (speechFromSample * 1000) / SAMPLE_RATE - LEAD_MS),
  ),
  endMs: Math.round((speechToSample * 1000) / SAMPLE_RATE),
})

/**
 * The number of words in each span, in order: the division with the lowest cost by the engine's times, by the
 * expected duration of the words, and by whether phrases end at pauses.
 */
function share(words: Word[], speech: Speech[]): number[] {
  const cost = divisionCost(words, speech)
  // least[n] is the least cost of giving the first n words to the spans so far.
  let least = words.map(() => Number.POSITIVE_INFINITY)
  least = [0, ...least]
  const taken: number[][] = []
  for (const index of speech.keys()) {
    const next = least.map(() => Number.POSITIVE_INFINITY)
    const from = least.map(() => 0)
    for (let first = 0; first <= words.length; first++) {
      if (least[first] === Number.POSITIVE_INFINITY) continue
      for (let end = first; end <= words.length; end++) {
        const total = least[first]! + cost(index, first, end)
        if (total >= next[end]!) continue
        next[end] = total
        from[end] = first
      }
    }
    least = next
    taken.push(from)
  }
  const counts: number[] = []
  let end = words.length
  for (const from of taken.reverse()) {
    counts.unshift(end - from[end]!)
    end = from[end]!
  }
  return counts
}

/** The cost of assigning exactly the words from `first` to `end` (excluded) to a span. */
function divisionCost(words: Word[], speech: Speech[]) {
  const lengths = sums(words.map(spokenLength))
  const sentences = sums(
    words.map(({ word }) => (ENDS_SENTENCE.test(word.trim()) ? SENTENCE_WITHOUT_PAUSE_MS : 0)),
  )
  const spoken = speech.reduce((sum, span) => sum + span.endMs - span.startMs, 0)
  const msPerCharacter = spoken / lengths.at(-1)!
  const misplaced = speech.map((span) =>
    sums(words.map((word) => Math.min(MAX_MISPLACED_MS, outside(word, span)))),
  )
  return (index: number, first: number, end: number): number => {
    const span = speech[index]!
    const wrongPlace = misplaced[index]![end]! - misplaced[index]![first]!
    const expected = (lengths[end]! - lengths[first]!) * msPerCharacter
    const wrongLength = Math.abs(expected - (span.endMs - span.startMs))
    if (end === first) return wrongPlace + wrongLength
    const inOneBreath = sentences[end - 1]! - sentences[first]!
    const goesOn = end < words.length && !ENDS_PHRASE.test(words[end - 1]!.word.trim())
    const pause = (speech[index + 1]?.startMs ?? span.endMs) - span.endMs
    const brokenPhrase = goesOn ? Math.min(MAX_BREAK_IN_PHRASE_MS, 2 * pause) : 0
    return wrongPlace + wrongLength + inOneBreath + brokenPhrase
  }
}

/** In characters; a digit or a symbol is spoken as a word. */
function spokenLength({ word }: Word): number {
  const signs = word.match(/[\p{N}$€£%&+=@]/gu)?.length ?? 0
  return 1 + word.trim().length + signs * 4
}

function outside(word: Word, span: Speech): number {
  const middle = (word.startMs + word.endMs) / 2
  return Math.max(0, span.startMs - middle, middle - span.endMs)
}

/** Sums of the first n values, for each n. */
function sums(values: number[]): number[] {
  const result = [0]
  for (const value of values) result.push(result.at(-1)! + value)
  return result
}

/**
 * Places words in their span: the first at its start, the last to its end, the others at the engine's times, or
 * in the same proportions if those times are outside the span.
 */
function fit(words: Word[], span: Speech): Word[] {
  if (words.length === 0) return []
  const own = words.map(({ startMs }) => startMs)
  const fits = own.slice(1).every((startMs) => startMs >= span.startMs && startMs < span.endMs)
  const wanted = fits ? own : proportional(words, span)
  const starts: number[] = [span.startMs]
  for (const startMs of wanted.slice(1)) starts.push(Math.max(startMs, starts.at(-1)!))
  return words.map((word, index) => {
    const latest = starts[index + 1] ?? span.endMs
    const isLast = index + 1 === words.length
    const endMs = isLast ? latest : Math.min(latest, Math.max(starts[index]!, word.endMs))
    return { ...word, startMs: starts[index]!, endMs: fits ? endMs : latest }
  })
}

/** The engine's start times scaled to the span; by characters if they are unusable. */
function proportional(words: Word[], span: Speech): number[] {
  const length = span.endMs - span.startMs
  const first = words[0]!.startMs
  const engineLength = words.at(-1)!.endMs - first
  const characters = sums(words.map(spokenLength))
  return words.map(({ startMs }, index) => {
    const byEngine = engineLength > 0 ? (startMs - first) / engineLength : -1
    const share = byEngine >= 0 && byEngine < 1 ? byEngine : characters[index]! / characters.at(-1)!
    return span.startMs + Math.round(length * share)
  })
}
