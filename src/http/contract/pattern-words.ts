// The patterns of our schemas in words, for error messages.

import { KEY_VARIABLE_PATTERN } from '../../llm/key-variable.ts'

const IN_WORDS = new Map([
  ['^https?://[^\\s/?#]+[^\\s]*$', 'an address that begins with http:// or https://'],
  [
    KEY_VARIABLE_PATTERN,
    'the name of an environment variable that begins with DICTATION_: letters, digits and _',
  ],
  ['^[a-z]{2,3}$', 'a language code such as en'],
  ['^[0-9a-f]{64}$', 'a SHA-256: 64 digits from 0 to 9 and a to f'],
  ['^[a-z0-9][a-z0-9._-]{0,99}$', 'at most 100 lowercase letters, digits, dots, _ and -'],
  ['\\S', 'more than spaces'],
])

/** Follows "must be". A pattern without an entry is shown itself. */
export const patternInWords = (pattern: string): string => IN_WORDS.get(pattern) ?? `of the form ${pattern}`
