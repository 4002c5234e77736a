// Applies a dictionary to segments: to their joined text, so that a phrase may span two of them, then back to each segment.

import type { Segment } from '../engine/engine.ts'
import type { Sliced } from '../lib/time-slice.ts'
import { type AppliedText, countEdits, editText } from '../text/dictionary/apply.ts'
import type { Dictionary } from '../text/dictionary/compile.ts'
import { editsIn } from '../text/dictionary/find-edits.ts'
import type { Edit } from '../text/dictionary/fit-edit.ts'
import type { Surroundings } from '../text/dictionary/template.ts'
import type { TextRange } from '../text/text-range.ts'
import { editSegment } from './edit-segment.ts'
import { between } from './join-text.ts'

export type AppliedSegments = AppliedText & {
  /** without segments that became empty; unchanged segments are the same objects */
  segments: Segment[]
}

/** `text` is the joined text of all segments. */
export function* appliedToSegments(
  dictionary: Dictionary,
  segments: readonly Segment[],
  surroundings: Surroundings,
): Sliced<AppliedSegments> {
  const { whole, places } = joinWithPlaces(segments)
  const { edits, ...rest } = yield* editsIn(dictionary, whole, surroundings)
  const changed: Segment[] = []
  let first = 0
  for (const [index, segment] of segments.entries()) {
    const place = places[index]!
    while (first < edits.length && edits[first]!.to <= place.from) first += 1
    const local = editsWithin(edits, place, first)
    const edited = local.length === 0 ? segment : editSegment(segment, local)
    if (edited !== null) changed.push(edited)
    yield
  }
  return { segments: changed, text: editText(whole, edits), applied: countEdits(edits), ...rest }
}

function joinWithPlaces(segments: readonly Segment[]): { whole: string; places: TextRange[] } {
  const parts: string[] = []
  const places: TextRange[] = []
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

/** The edits inside one segment, from index `first` on. An edit across several segments is written into the first. */
function editsWithin(edits: readonly Edit[], place: TextRange, first: number): Edit[] {
  const within: Edit[] = []
  for (let index = first; index < edits.length && edits[index]!.from < place.to; index += 1) {
    const edit = edits[index]!
    const [from, to] = [Math.max(edit.from, place.from), Math.min(edit.to, place.to)]
    // An edit may start at the space before the segment, which belongs to no segment.
    const isFirst = edit.from >= place.from - 1
    if (from < to)
      within.push({ ...edit, from: from - place.from, to: to - place.from, text: isFirst ? edit.text : '' })
  }
  return within
}
