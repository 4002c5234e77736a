// Rewrites parts of a segment's text together with its words, which keep their times.

import type { Segment, Word } from '../engine/engine.ts'
import { editText } from '../text/dictionary/apply.ts'
import type { TextRange } from '../text/text-range.ts'
import { locateWords } from './segment-edits.ts'

/** `text` replaces the range. */
export type Rewrite = TextRange & { text: string }

/**
 * @param edits ranges of the trimmed text, ordered, not overlapping
 * @returns null if no text is left
 */
export function editSegment(untrimmed: Segment, edits: readonly Rewrite[]): Segment | null {
  const segment = { ...untrimmed, text: untrimmed.text.trim() }
  const text = editText(segment.text, edits).trim()
  if (text === '') return null
  return { ...segment, text, words: editWords(segment, edits) }
}

/** Indexes of adjacent words that one or more edits touch. */
type Group = { first: number; last: number; edits: Rewrite[] }

function editWords(segment: Segment, edits: readonly Rewrite[]): Word[] {
  const places = locateWords(segment)
  const groups: Group[] = []
  for (const edit of edits) {
    const touches = (place: TextRange | null) =>
      place !== null && place.from < edit.to && place.to > edit.from
    const [first, last] = [places.findIndex(touches), places.findLastIndex(touches)]
    if (first < 0) continue
    const before = groups.at(-1)
    if (before && before.last >= first) {
      before.last = Math.max(before.last, last)
      before.edits.push(edit)
    } else {
      groups.push({ first, last, edits: [edit] })
    }
  }
  return groups
    .toReversed()
    .reduce(
      (words, group) =>
        words.toSpliced(group.first, group.last - group.first + 1, ...rewritten(segment, places, group)),
      segment.words,
    )
}

function rewritten(
  { text, words }: Segment,
  places: (TextRange | null)[],
  { first, last, edits }: Group,
): Word[] {
  const [from, to] = [places[first]!.from, places[last]!.to]
  const local = edits.map((edit) => ({
    ...edit,
    from: Math.max(edit.from, from) - from,
    to: Math.min(edit.to, to) - from,
  }))
  const written = editText(text.slice(from, to), local)
    .split(/\s+/)
    .filter((word) => word !== '')
  const old = words.slice(first, last + 1)
  if (written.length === old.length) return old.map((word, index) => ({ ...word, word: written[index]! }))
  return spread(written, old)
}

/**
 * Spreads the new words over the time of the old ones by their number of characters. Each gets the lowest probability
 * of the old words; the first one gets their tokens.
 */
function spread(written: readonly string[], old: readonly Word[]): Word[] {
  const [startMs, endMs] = [old[0]!.startMs, old.at(-1)!.endMs]
  const known = old.flatMap(({ probability }) => probability ?? [])
  const probability = known.length === 0 ? null : Math.min(...known)
  const characters = written.reduce((sum, word) => sum + word.length, 0)
  const tokens = old.flatMap((word) => word.tokens ?? [])
  const hasTokens = old.some((word) => word.tokens !== undefined)
  let passed = 0
  const timeAt = (character: number) => Math.round(startMs + ((endMs - startMs) * character) / characters)
  return written.map((word, index) => {
    const from = timeAt(passed)
    passed += word.length
    const tokenFields = hasTokens && { tokens: index === 0 ? tokens : [] }
    return { word, startMs: from, endMs: timeAt(passed), probability, ...tokenFields }
  })
}
