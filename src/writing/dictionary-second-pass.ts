// The dictionary for a text that has already been through it: without the entries that would change its own output.

import { inSlices, type Sliced } from '../lib/slices.ts'
import { compiled, type Dictionary } from '../text/dictionary/compile.ts'
import { editsIn } from '../text/dictionary/find-edits.ts'

/**
 * Refining can bring words of an entry together and can change what the dictionary wrote, so the dictionary is applied
 * a second time. An entry that turns "Anna" into "Anna Keller" would then produce "Anna Keller Keller".
 * Caches the result for the last dictionary: computing it takes a pass over all entries.
 */
export function createSecondPass(): (dictionary: Dictionary) => Promise<Dictionary> {
  let last: { of: Dictionary; again: Promise<Dictionary> } | null = null
  return (dictionary) => {
    if (last?.of !== dictionary) last = { of: dictionary, again: inSlices(withoutRepeats(dictionary)) }
    return last.again
  }
}

function* withoutRepeats(dictionary: Dictionary): Sliced<Dictionary> {
  // The output of a pattern is unknown until it matches, so patterns are not applied again.
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
