import { expect, test } from 'bun:test'
import { checkEntry, tidyEntry } from '../../../src/text/dictionary/check-entry.ts'
import { type EntryContent, NEW_ENTRY } from '../../../src/text/dictionary/entry.ts'

const content = (fields: Partial<EntryContent>): EntryContent => ({
  ...NEW_ENTRY,
  type: 'replacement',
  word: 'a',
  replacement: 'b',
  ...fields,
})
const pattern = (word: string, replacement = 'b') => content({ word, replacement, isRegex: true })

test('composes and trims an entry, and removes duplicate forms', () => {
  const tidied = tidyEntry(
    content({ word: ' cafe\u0301  au\tlait ', aliases: ['x', ' x ', '', 'café au lait'] }),
  )
  expect([tidied.word, tidied.aliases]).toEqual(['café au lait', ['x']])
})

test('keeps the spaces of a pattern', () => {
  expect(tidyEntry(pattern(' a  b')).word).toBe(' a  b')
})

test.each([
  ['a term', content({ type: 'term', replacement: null })],
  ['a word to omit', content({ type: 'omit', replacement: null })],
  ['a pattern', pattern('(\\pL+)-(?P<n>\\d{1,3})\\b', `$1 $2 \${n} $& $$`)],
])('%s is valid', (_what, entry) => {
  expect(checkEntry(entry)).toEqual([])
})

test.each<[string, EntryContent, string[]]>([
  ['a blank word', content({ word: '' }), ['word must not be blank']],
  [
    'a replacement without one',
    content({ replacement: null }),
    ['replacement is required for a replacement'],
  ],
  [
    'a snippet without a text',
    content({ type: 'snippet', replacement: null }),
    ['replacement is required for a snippet'],
  ],
  [
    'a replacement by nothing',
    content({ replacement: '' }),
    ['replacement must not be empty; to remove the word, use the type `omit`'],
  ],
  [
    'a replacement by spaces',
    content({ replacement: ' \u00a0' }),
    ['replacement must not be empty; to remove the word, use the type `omit`'],
  ],
  [
    'a word to omit with a replacement',
    content({ type: 'omit' }),
    ['replacement must be null for a word to omit; make it a replacement instead'],
  ],
  [
    'a term with a replacement',
    content({ type: 'term' }),
    ['replacement must be null for a term; make it a replacement instead'],
  ],
  ['lookahead', pattern('a(?=b)'), ['word uses lookahead or lookbehind, which is not supported']],
  ['lookbehind', pattern('(?<!a)b'), ['word uses lookahead or lookbehind, which is not supported']],
  ['a backreference', pattern('(a)\\1'), ['word uses a backreference, which is not supported']],
  ['an unclosed group', pattern('(a'), ['word is not a pattern: missing closing ) in (a']],
  [
    'a repetition above the limit',
    pattern('(a{100}){100}'),
    ['word has a repetition of more than 1000, which is not supported'],
  ],
  [
    'a pattern that is too complex',
    pattern('[\\pL\\pN]{1,900}'),
    ['word is a pattern that is too complex; use fewer or smaller repetitions'],
  ],
  [
    'a pattern that matches the empty text',
    pattern('a*'),
    ['word is a pattern that matches the empty text, and so everywhere'],
  ],
  [
    'an unknown group number',
    pattern('(a)', '$2'),
    ['replacement refers to the group 2, but the pattern has 1'],
  ],
  [
    'an unknown group name',
    pattern('a', `\${b}`),
    ['replacement refers to the group b, but the pattern has none'],
  ],
])('rejects %s', (_what, entry, expected) => {
  expect(checkEntry(entry).map(({ field, message }) => `${field} ${message}`)).toEqual(expected)
})

test('returns all errors at once', () => {
  const wrong = content({ type: 'term', word: '(', aliases: ['x'], isRegex: true })
  expect(checkEntry(wrong).map(({ field }) => field)).toEqual(['replacement', 'isRegex', 'aliases', 'word'])
})
