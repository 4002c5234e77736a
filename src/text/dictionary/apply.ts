import type { Sliced } from '../../lib/slices.ts'
import type { Dictionary } from './compile.ts'
import type { Applied } from './entry.ts'
import { type Edits, editsIn } from './find-edits.ts'
import type { Edit } from './fit-edit.ts'
import type { Surroundings } from './template.ts'

export type AppliedText = Omit<Edits, 'edits'> & {
  text: string
  /** entries that changed the text, in the order of their first change */
  applied: Applied[]
}

/**
 * Applies a dictionary to a text: replacements, snippets, omissions and the misheard forms of terms.
 * @param surroundings `language` is Whisper's code, or null if unknown
 */
export function* applied(
  dictionary: Dictionary,
  text: string,
  surroundings: Surroundings,
): Sliced<AppliedText> {
  const { edits, ...rest } = yield* editsIn(dictionary, text, surroundings)
  return { text: editText(text, edits), applied: countEdits(edits), ...rest }
}

export function editText(text: string, edits: readonly Pick<Edit, 'from' | 'to' | 'text'>[]): string {
  const parts: string[] = []
  let done = 0
  for (const edit of edits) {
    parts.push(text.slice(done, edit.from), edit.text)
    done = edit.to
  }
  return parts.join('') + text.slice(done)
}

export function countEdits(edits: readonly Edit[]): Applied[] {
  const counts = new Map<string, number>()
  for (const { id } of edits) counts.set(id, (counts.get(id) ?? 0) + 1)
  return [...counts].map(([id, count]) => ({ id, count }))
}
