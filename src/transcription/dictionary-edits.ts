// Applies a dictionary to segments: to their text as a whole, so that a phrase may go over two of them, and back to
// each with its words and their times. Which parts are rewritten is text/dictionary/.

import type { Segment, Word } from '../engine/engine.ts'
import { type AppliedText, countEdits, editText } from '../text/dictionary/apply.ts'
import type { Dictionary } from '../text/dictionary/compile.ts'
import { type Edit, findEdits } from '../text/dictionary/find-edits.ts'
import type { Surroundings } from '../text/dictionary/template.ts'
import { between } from './join-text.ts'
import { locateWords } from './segment-edits.ts'

export type AppliedSegments = AppliedText & {
  /** a segment of which nothing is left is left out; those that nothing changed are the same objects */
  segments: Segment[]
}

/** `text` is that of all segments, joined as everywhere. */
export function applyToSegments(
  dictionary: Dictionary,
  segments: readonly Segment[],
  surroundings: Surroundings,
): AppliedSegments {
  const { whole, places } = joinWithPlaces(segments)
  const { edits, ...rest } = findEdits(dictionary, whole, surroundings)
  const changed = segments.flatMap((segment, index) => {
    const local = editsWithin(edits, places[index]!)
    return local.length === 0 ? segment : (editSegment(segment, local) ?? [])
  })
  return { segments: changed, text: editText(whole, edits), applied: countEdits(edits), ...rest }
}

type Range = { from: number; to: number }

function joinWithPlaces(segments: readonly Segment[]): { whole: string; places: Range[] } {
  const parts: string[] = []
  const places: Range[] = []
  let [length, last] = [0, '']
  for (const segment of segments) {
    const text = segment.text.trim()
    const gap = last === '' || text === '' ? '' : between(last, text)
    parts.push(gap, text)
    places.push({ from: length + gap.length, to: length + gap.length + text.length })
    length += gap.length + text.length
    last = text || last
  }
  return { whole: parts.join(''), places }
}

/** On the segment's own text. What goes over several segments is written into the first. */
function editsWithin(edits: readonly Edit[], place: Range): Edit[] {
  return edits.flatMap((edit) => {
    const [from, to] = [Math.max(edit.from, place.from), Math.min(edit.to, place.to)]
    if (from >= to) return []
    // A space before the segment, which may go with an edit, is no segment's.
    const isFirst = edit.from >= place.from - 1
    return { ...edit, from: from - place.from, to: to - place.from, text: isFirst ? edit.text : '' }
  })
}

/** Null where nothing is left. */
function editSegment(untrimmed: Segment, edits: readonly Edit[]): Segment | null {
  const segment = { ...untrimmed, text: untrimmed.text.trim() }
  const text = editText(segment.text, edits).trim()
  if (text === '') return null
  return { ...segment, text, words: editWords(segment, edits) }
}

/** Words next to each other that one or more edits touch, by their numbers. */
type Group = { first: number; last: number; edits: Edit[] }

function editWords(segment: Segment, edits: readonly Edit[]): Word[] {
  const places = locateWords(segment)
  const groups: Group[] = []
  for (const edit of edits) {
    const touches = (place: Range | null) => place !== null && place.from < edit.to && place.to > edit.from
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
  places: (Range | null)[],
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

/** New words over the time of the old ones, each as long as its letters; none is surer than the least sure before. */
function spread(written: readonly string[], old: readonly Word[]): Word[] {
  const [startMs, endMs] = [old[0]!.startMs, old.at(-1)!.endMs]
  const known = old.flatMap(({ probability }) => probability ?? [])
  const probability = known.length === 0 ? null : Math.min(...known)
  const letters = written.reduce((sum, word) => sum + word.length, 0)
  let passed = 0
  const timeAt = (letter: number) => Math.round(startMs + ((endMs - startMs) * letter) / letters)
  return written.map((word) => {
    const from = timeAt(passed)
    passed += word.length
    return { word, startMs: from, endMs: timeAt(passed), probability }
  })
}
