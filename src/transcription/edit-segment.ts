// Rewrites parts of a segment's text, and its words with it, which keep the times that they were said at.
// What is rewritten is decided in dictionary-edits.ts and second-pass.ts; taking parts out is segment-edits.ts.

import type { Segment, Word } from '../engine/engine.ts'
import { editText } from '../text/dictionary/apply.ts'
import type { TextRange } from '../text/text-range.ts'
import { locateWords } from './segment-edits.ts'

/** `text` stands where the range was. */
export type Rewrite = TextRange & { text: string }

/** @param edits of the trimmed text, ordered, not overlapping; null where nothing is left */
export function editSegment(untrimmed: Segment, edits: readonly Rewrite[]): Segment | null {
  const segment = { ...untrimmed, text: untrimmed.text.trim() }
  const text = editText(segment.text, edits).trim()
  if (text === '') return null
  return { ...segment, text, words: editWords(segment, edits) }
}

/** Words next to each other that one or more edits touch, by their numbers. */
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
 * New words over the time of the old ones, each as long as its letters; none is surer than the least sure before. The
 * tokens that were heard go with the first.
 */
function spread(written: readonly string[], old: readonly Word[]): Word[] {
  const [startMs, endMs] = [old[0]!.startMs, old.at(-1)!.endMs]
  const known = old.flatMap(({ probability }) => probability ?? [])
  const probability = known.length === 0 ? null : Math.min(...known)
  const letters = written.reduce((sum, word) => sum + word.length, 0)
  const tokens = old.flatMap((word) => word.tokens ?? [])
  const isTold = old.some((word) => word.tokens !== undefined)
  let passed = 0
  const timeAt = (letter: number) => Math.round(startMs + ((endMs - startMs) * letter) / letters)
  return written.map((word, index) => {
    const from = timeAt(passed)
    passed += word.length
    const told = isTold && { tokens: index === 0 ? tokens : [] }
    return { word, startMs: from, endMs: timeAt(passed), probability, ...told }
  })
}
