// Warnings about dictionary entries that could not be applied. They go into responses and the log, so they must not
// contain parts of the text or the entries.

import type { Warning } from '../../lib/warning.ts'
import type { Edits } from './find-edits.ts'

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
