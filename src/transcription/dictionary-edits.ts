// Applies a dictionary to segments: to their text as a whole, so that a phrase may go over two of them, and back to
// each with its words and their times. Which parts are rewritten is text/dictionary/.

import type { Segment } from '../engine/engine.ts'
import type { TextRange } from '../text/captions.ts'
import { type AppliedText, countEdits, editText } from '../text/dictionary/apply.ts'
import type { Dictionary } from '../text/dictionary/compile.ts'
import { type Edit, findEdits } from '../text/dictionary/find-edits.ts'
import type { Surroundings } from '../text/dictionary/template.ts'
import { editSegment } from './edit-segment.ts'
import { between } from './join-text.ts'

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

/** On the segment's own text. What goes over several segments is written into the first. */
function editsWithin(edits: readonly Edit[], place: TextRange): Edit[] {
  return edits.flatMap((edit) => {
    const [from, to] = [Math.max(edit.from, place.from), Math.min(edit.to, place.to)]
    if (from >= to) return []
    // A space before the segment, which may go with an edit, is no segment's.
    const isFirst = edit.from >= place.from - 1
    return { ...edit, from: from - place.from, to: to - place.from, text: isFirst ? edit.text : '' }
  })
}
