// A dictionary for texts that have been through it once: without what would change its own output.
// Applying either is src/text/dictionary.

import { compileDictionary, type Dictionary } from '../text/dictionary/compile.ts'
import { findEdits } from '../text/dictionary/find-edits.ts'

/**
 * Refining brings words together that the dictionary knows, and its rules may touch what it wrote, so it is applied
 * once more. But what turns "Anna" into "Anna Keller" would then make "Anna Keller Keller".
 * Remembers the last dictionary: finding this out takes a pass over all of its entries.
 */
export function createSecondPass(): (dictionary: Dictionary) => Dictionary {
  let last: { of: Dictionary; again: Dictionary } | null = null
  return (dictionary) => {
    if (last?.of !== dictionary) last = { of: dictionary, again: withoutRepeats(dictionary) }
    return last.again
  }
}

function withoutRepeats(dictionary: Dictionary): Dictionary {
  const unstable = new Set<string>()
  for (const { id, type, word, replacement, language, isRegex } of dictionary.entries) {
    // What a pattern writes is not known before it matches.
    if (isRegex) unstable.add(id)
    const written = type === 'term' ? word : (replacement ?? '')
    for (const edit of findEdits(dictionary, written, { language }).edits) unstable.add(edit.id)
  }
  return compileDictionary(dictionary.entries.filter(({ id }) => !unstable.has(id)))
}
