// What a dictionary wanted to do to a text and could not, as it is told to a person.
// Nothing of the text or of the entries is in it: it goes into answers and into the log.

import type { Warning } from '../../lib/warning.ts'
import type { Edits } from './find-edits.ts'

/** Date and time are always known where a dictionary is applied for real. */
export function unheededIn({ missing, givenUp }: Pick<Edits, 'missing' | 'givenUp'>): Warning[] {
  const unheeded: Warning[] = []
  if (missing.length > 0)
    unheeded.push({
      code: 'clipboard_unknown',
      message:
        'A snippet asks for {{clipboard}}, and the field `clipboard` was not sent; nothing stands in its place.',
    })
  if (givenUp.length > 0)
    unheeded.push({
      code: 'dictionary_too_slow',
      message: `Patterns of the dictionary took too long and were applied to a part of the text or to none; make them simpler: ${givenUp.join(', ')}.`,
    })
  return unheeded
}
