// A dictionary for texts that have been through it once: without what would change its own output.
// Applying either is src/text/dictionary.

import { inSlices, type Sliced } from '../lib/time-slice.ts'
import { compiled, type Dictionary } from '../text/dictionary/compile.ts'
import { editsIn } from '../text/dictionary/find-edits.ts'

/**
 * Refining brings words together that the dictionary knows, and its rules may touch what it wrote, so it is applied
 * once more. But what turns "Anna" into "Anna Keller" would then make "Anna Keller Keller".
 * Remembers the last dictionary: finding this out takes a pass over all of its entries.
 */
export function createSecondPass(): (dictionary: Dictionary) => Promise<Dictionary> {
  let last: { of: Dictionary; again: Promise<Dictionary> } | null = null
  return (dictionary) => {
    if (last?.of !== dictionary) last = { of: dictionary, again: inSlices(withoutRepeats(dictionary)) }
    return last.again
  }
}

function* withoutRepeats(dictionary: Dictionary): Sliced<Dictionary> {
  // What a pattern writes is not known before it matches, so none is applied again.
  const words = dictionary.entries.filter(({ isRegex }) => !isRegex)
  const known = words.length === dictionary.entries.length ? dictionary : yield* compiled(words)
  const unstable = new Set<string>()
  for (const { type, word, replacement, language } of words) {
    const written = type === 'term' ? word : (replacement ?? '')
    const { edits } = yield* editsIn(known, written, { language })
    for (const { id } of edits) unstable.add(id)
    yield
  }
  return unstable.size === 0 ? known : yield* compiled(words.filter(({ id }) => !unstable.has(id)))
}
