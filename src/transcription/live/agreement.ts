// Which words of a preview are settled: those that two previews agree on stay, across utterances and after a loop.

import type { Segment, Word } from '../../engine/engine.ts'
import { hasLoop } from '../repetition.ts'
import { wordsIn } from '../segment-edits.ts'
import { joinTexts } from '../transcript.ts'

/** A split this far from the end of the confirmed words costs as much as one different character. */
const CHARACTER_MS = 500
/** Fewer words than this may all differ by chance. */
const FEWEST_TO_CONTRADICT = 4

/** Case, Unicode form and punctuation vary between previews and are ignored. */
const fold = ({ word }: Word): string =>
  word
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}]/gu, '')

/**
 * Counts the leading words of a preview that are already confirmed: the split with the most similar text that is
 * nearest to the end of the confirmed words. Compares characters, because one preview writes as one word what
 * another writes as two. Uses times alone if the texts are not similar.
 *
 * @param preview all words of the preview
 * @param confirmed the confirmed words whose audio is in the preview, on the same clock
 * @returns `contradicts` if most of the confirmed words were transcribed differently
 */
export function findConfirmed(preview: Word[], confirmed: Word[]): { count: number; contradicts: boolean } {
  const last = confirmed.at(-1)
  if (!last) return { count: 0, contradicts: false }
  const characters = confirmed.map(fold).join('')
  const changes = changesToPrefixes(characters, preview.map(fold).join(''))
  let best = { count: 0, changed: 0, cost: Number.POSITIVE_INFINITY }
  let length = 0
  for (let count = 0; count <= preview.length; count++) {
    if (count > 0) length += fold(preview[count - 1]!).length
    const changed = changes[length]!
    const cost = changed + misplacedMs(preview, count, last.endMs) / CHARACTER_MS
    if (cost < best.cost) best = { count, changed, cost }
  }
  // Beyond this, similarity is chance.
  if (best.changed <= characters.length / 2) return { count: best.count, contradicts: false }
  const after = preview.findIndex((word) => middleOf(word) >= last.endMs)
  return { count: after < 0 ? preview.length : after, contradicts: confirmed.length >= FEWEST_TO_CONTRADICT }
}

const middleOf = ({ startMs, endMs }: Word) => (startMs + endMs) / 2

/** How far the words next to a split are on the wrong side of a time. */
function misplacedMs(words: Word[], split: number, timeMs: number): number {
  const [before, after] = [words[split - 1], words[split]]
  return (
    (before ? Math.max(0, middleOf(before) - timeMs) : 0) +
    (after ? Math.max(0, timeMs - middleOf(after)) : 0)
  )
}

/**
 * The edit distance from `from` to each prefix of `to`. A substitution costs 2: otherwise two unrelated texts of the
 * same length would count as similar.
 */
function changesToPrefixes(from: string, to: string): Uint32Array {
  let row = Uint32Array.from({ length: to.length + 1 }, (_, index) => index)
  for (let index = 0; index < from.length; index++) {
    const next = new Uint32Array(row.length)
    next[0] = index + 1
    for (let column = 0; column < to.length; column++) {
      const kept = row[column]! + (from[index] === to[column] ? 0 : 2)
      next[column + 1] = Math.min(kept, row[column + 1]! + 1, next[column]! + 1)
    }
    row = next
  }
  return row
}

/**
 * Counts the leading words that this preview and the previous one share. Bare punctuation belongs to the word before
 * it.
 */
export function countAgreed(previous: Word[], current: Word[]): number {
  const before = previous.map(fold).filter((word) => word !== '')
  let agreed = 0
  let at = 0
  for (const [index, word] of current.map(fold).entries()) {
    if (word !== '' && word !== before[at]) break
    if (word !== '') at++
    if (at > 0) agreed = index + 1
  }
  return agreed
}

/**
 * Words with a lower probability often differ in the final text, unless two previews still agree on them after this
 * much more speech. Of the words of test/speech on which two previews agreed, 4.1 % (tiny.en) and 3.2 % (base) differed
 * in the final text; with both limits 0.5 % and none, of two thirds as many words.
 */
const SURE = 0.7
const SAID_SINCE_MS = 3000

/**
 * Counts the leading words that are settled: the previous preview has them too and their probability is high enough.
 * An uncertain word holds up all that follow it.
 * @param speechEndMs where the speech of this preview ends
 */
export function countSettled(previous: Word[], current: Word[], speechEndMs: number): number {
  const agreed = countAgreed(previous, current)
  const doubted = current.findIndex(
    ({ probability, endMs }) => (probability ?? 1) < SURE && speechEndMs - endMs < SAID_SINCE_MS,
  )
  return doubted < 0 ? agreed : Math.min(agreed, doubted)
}

/** Text confirmed in one step, on the stream's clock. */
export type ConfirmedPiece = {
  /** with its leading space if needed: the concatenated pieces are the stream's confirmed text */
  text: string
  startMs: number
  endMs: number
}

export type ConfirmedText = {
  /**
   * @returns null if there is nothing to add, or if the result would loop: the recogniser repeats phrases like that,
   * speakers do not
   */
  add(segments: Segment[]): ConfirmedPiece | null
  /** the confirmed words of the last minute that are mostly after this time */
  wordsAfter(ms: number): Word[]
  endMs(): number
}

/** Bounds memory on long streams; longer than a window. */
const MEMORY_MS = 60_000
/** How far back rounds count towards a loop: four rounds of the longest phrase. */
const LOOP_MEMORY_MS = 30_000

export function createConfirmedText(): ConfirmedText {
  let segments: Segment[] = []
  const endMs = () => segments.at(-1)?.endMs ?? 0
  const recent = (ms: number) => segments.slice(1 + segments.findLastIndex((segment) => segment.endMs <= ms))

  return {
    add(found) {
      const fresh = inOrder(found, endMs()).filter(({ text }) => text.trim() !== '')
      if (fresh.length === 0 || isLoop([...recent(endMs() - LOOP_MEMORY_MS), ...fresh])) return null
      const before = segments.at(-1)?.text.trimEnd() ?? ''
      segments = [...recent(endMs() - MEMORY_MS), ...fresh]
      return {
        text: following(before, joinTexts(fresh.map(({ text }) => text))),
        startMs: fresh[0]!.startMs,
        endMs: endMs(),
      }
    },
    wordsAfter: (ms) => wordsIn(recent(ms)).filter(({ startMs, endMs }) => startMs + endMs > 2 * ms),
    endMs,
  }
}

/** Joins the segments first: without spaces between words, a transcription may end in the middle of one. */
const isLoop = (segments: Segment[]): boolean =>
  hasLoop([{ text: joinTexts(segments.map(({ text }) => text)) }])

/** A text with the separator that it needs after another one. */
const following = (before: string, text: string): string => {
  const last = before.slice(-1)
  return last === '' ? text : joinTexts([last, text]).slice(last.length)
}

/** Times of two transcriptions differ slightly; later text must not begin before earlier text ends. */
function inOrder(segments: Segment[], earliestMs: number): Segment[] {
  const place = <T extends { startMs: number; endMs: number }>(timed: T): T => {
    const startMs = Math.max(earliestMs, timed.startMs)
    return { ...timed, startMs, endMs: Math.max(startMs, timed.endMs) }
  }
  return segments.map((segment) => ({ ...place(segment), words: segment.words.map(place) }))
}
