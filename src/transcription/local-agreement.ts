// Which words of a hearing are settled: those that were confirmed before, and those that two hearings agree on.
// Pure, on words alone; when to hear and what follows from it is live-preview.ts's.

import type { Word } from '../engine/engine.ts'

/** A split this far from where the confirmed words end is as unlikely as one letter that was heard differently. */
const LETTER_MS = 500
/** Fewer words than this can all be heard differently without meaning anything. */
const FEWEST_TO_CONTRADICT = 4

/** Case, accents in another form and punctuation flicker from hearing to hearing and say nothing. */
const fold = ({ word }: Word): string =>
  word
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}]/gu, '')

/**
 * How many words at the start of a hearing are those that are confirmed already: the split at which they are
 * most alike, letter by letter since one hearing writes as one word what another writes as two, and that lies
 * nearest to the end of the confirmed ones; by their times alone where they are not alike.
 *
 * @param heard all words of the hearing
 * @param confirmed the confirmed words whose audio is in the hearing, on the same clock
 * @returns `contradicts` where most of what is confirmed was heard differently
 */
export function findConfirmed(heard: Word[], confirmed: Word[]): { count: number; contradicts: boolean } {
  const last = confirmed.at(-1)
  if (!last) return { count: 0, contradicts: false }
  const letters = confirmed.map(fold).join('')
  const changes = changesToPrefixes(letters, heard.map(fold).join(''))
  let best = { count: 0, changed: 0, cost: Number.POSITIVE_INFINITY }
  let length = 0
  for (let count = 0; count <= heard.length; count++) {
    if (count > 0) length += fold(heard[count - 1]!).length
    const changed = changes[length]!
    const cost = changed + misplacedMs(heard, count, last.endMs) / LETTER_MS
    if (cost < best.cost) best = { count, changed, cost }
  }
  // Words as different as this are alike by accident.
  if (best.changed <= letters.length / 2) return { count: best.count, contradicts: false }
  const after = heard.findIndex((word) => middleOf(word) >= last.endMs)
  return { count: after < 0 ? heard.length : after, contradicts: confirmed.length >= FEWEST_TO_CONTRADICT }
}

const middleOf = ({ startMs, endMs }: Word) => (startMs + endMs) / 2

/** How far the words beside a split lie on the wrong side of a time. */
function misplacedMs(words: Word[], split: number, timeMs: number): number {
  const [before, after] = [words[split - 1], words[split]]
  return (
    (before ? Math.max(0, middleOf(before) - timeMs) : 0) +
    (after ? Math.max(0, timeMs - middleOf(after)) : 0)
  )
}

/**
 * For each beginning of `to`, the fewest letters to add and leave out to turn `from` into it. A letter changed
 * counts as both: otherwise text that has nothing in common would be taken for the same of the same length.
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
 * How many words at the start of this hearing the hearing before had too. Bare punctuation is no word: it goes
 * with the word before it.
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
 * What the model doubts more than this, the text in the end often has otherwise, unless two hearings still agree on it
 * when so much more has been said. Of the words of test/speech on which two hearings agreed it had 4.1 % otherwise by
 * tiny.en, and 3.2 % by base; with these two 0.5 % and none, of two thirds as many.
 */
const SURE = 0.7
const SAID_SINCE_MS = 3000

/**
 * How many words at the start of this hearing stand for good: the hearing before had them, too, and they are sure. One that
 * is not holds up all that follow it.
 * @param heardToMs where the speech of this hearing ends
 */
export function countSettled(previous: Word[], current: Word[], heardToMs: number): number {
  const agreed = countAgreed(previous, current)
  const doubted = current.findIndex(
    ({ probability, endMs }) => (probability ?? 1) < SURE && heardToMs - endMs < SAID_SINCE_MS,
  )
  return doubted < 0 ? agreed : Math.min(agreed, doubted)
}
