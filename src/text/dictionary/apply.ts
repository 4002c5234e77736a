// Applies a dictionary to a text, and warns about patterns that take too long.

import type { Warning } from '../../lib/warning.ts'
import type { Dictionary } from './compile.ts'
import type { Applied, Surroundings } from './entry.ts'
import { type Edit, type Edits, editsIn } from './find-edits.ts'

export type AppliedText = Omit<Edits, 'edits'> & {
  text: string
  /** entries that changed the text, in the order of their first change */
  applied: Applied[]
}

/**
 * Applies a dictionary to a text: replacements, snippets, omissions and the misheard forms of terms.
 * @param surroundings `language` is Whisper's code, or null if unknown
 */
export async function applied(
  dictionary: Dictionary,
  text: string,
  surroundings: Surroundings,
): Promise<AppliedText> {
  const { edits, ...rest } = await editsIn(dictionary, text, surroundings)
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

/** Date and time are always known outside tests, so `missing` means the clipboard. */
export function applyWarnings({ missing, givenUp }: Pick<Edits, 'missing' | 'givenUp'>): Warning[] {
  const warnings: Warning[] = []
  if (missing.length > 0)
    warnings.push({
      code: 'clipboard_unknown',
      message:
        'A snippet uses {{clipboard}}, but the request has no field `clipboard`. The placeholder was removed.',
    })
  if (givenUp.length > 0)
    warnings.push({
      code: 'dictionary_too_slow',
      message: `These dictionary patterns took too long and were applied to only part of the text, or not at all. Simplify them: ${givenUp.join(', ')}.`,
    })
  return warnings
}
