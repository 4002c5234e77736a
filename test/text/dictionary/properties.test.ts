import { expect, test } from 'bun:test'
import { editText } from '../../../src/text/dictionary/apply.ts'
import fc from '../../support/fast-check.ts'
import { applyDictionary, dictionaryOf, findEdits } from './entries.ts'

const LETTERS = [
  ..."abIiİıßẞSsΣσς .,'’\n\t-1_$",
  ...[
    '\u0301',
    '\u0308',
    '\u0323',
    'é',
    '北',
    'カ',
    'ก',
    'ำ',
    '👍',
    '🏽',
    '👩‍💻',
    '🇩',
    '🇪',
    '\u200d',
    'ﬃ',
    '한',
    '\u1112\u1161',
  ],
]
const someText = fc.array(fc.constantFrom(...LETTERS), { maxLength: 40 }).map((letters) => letters.join(''))
const anyText = fc.oneof(someText, fc.string({ unit: 'binary', maxLength: 40 }))
const word = someText
  .map((text) => text.trim().replace(/\s+/g, ' ').normalize('NFC'))
  .filter((text) => text !== '')
const language = fc.constantFrom(null, 'en', 'tr', 'de')
const words = fc.uniqueArray(
  fc.record({ word, wholeWord: fc.boolean(), caseSensitive: fc.boolean(), isRegex: fc.constant(false) }),
  { maxLength: 6, selector: ({ word: one }) => one },
)

test('a text without a match comes back as it is', () => {
  const dictionary = dictionaryOf(
    { word: 'zzz', replacement: 'x' },
    { word: 'z{3}y', replacement: 'x', isRegex: true },
  )
  fc.assert(
    fc.property(anyText, language, (text, spoken) => {
      fc.pre(!/z/i.test(text.normalize('NFKC')))
      expect(applyDictionary(dictionary, text, { language: spoken }).text).toBe(text)
    }),
  )
})

test('edits are ordered, do not overlap, lie within the text, and never cut a letter', () => {
  fc.assert(
    fc.property(words, anyText, language, (entries, text, spoken) => {
      const dictionary = dictionaryOf(...entries.map((one) => ({ ...one, replacement: '<>' })))
      const { edits } = findEdits(dictionary, text, { language: spoken })
      const letters = new Set(
        [...new Intl.Segmenter('und', { granularity: 'grapheme' }).segment(text)].map(({ index }) => index),
      ).add(text.length)
      let done = 0
      for (const { from, to } of edits) {
        expect(from).toBeGreaterThanOrEqual(done)
        expect(to).toBeGreaterThan(from)
        // A run of spaces is matched as one.
        for (const at of [from, to]) expect(letters.has(at) || /\s/.test(text[at - 1]!)).toBe(true)
        done = to
      }
      expect(done).toBeLessThanOrEqual(text.length)
    }),
  )
})

test('what was written is not rewritten: a word that becomes itself twice stays two', () => {
  fc.assert(
    fc.property(words, someText, language, (entries, text, spoken) => {
      const twice = dictionaryOf(
        ...entries.map((one) => ({ ...one, replacement: `${one.word} ${one.word}` })),
      )
      const { edits } = findEdits(twice, text, { language: spoken })
      const kept = text.length - edits.reduce((sum, { from, to }) => sum + to - from, 0)
      const written = edits.reduce((sum, edit) => sum + edit.text.length, 0)
      expect(editText(text, edits)).toHaveLength(kept + written)
    }),
  )
})

test('a word is found whole, composed or not, in capitals or not', () => {
  const plain = fc
    .array(fc.constantFrom(...'abcéèüßñåöøçλμяйёकखश'), { minLength: 1, maxLength: 12 })
    .map((letters) => letters.join(''))
  const forms = fc.constantFrom<((text: string) => string)[]>(
    (text) => text.normalize('NFD'),
    (text) => text.toUpperCase(),
    (text) => text.toUpperCase().normalize('NFD'),
    (text) => text,
  )
  fc.assert(
    fc.property(plain, forms, (one, form) => {
      const dictionary = dictionaryOf({ word: one.normalize('NFC'), replacement: '<>' })
      expect(applyDictionary(dictionary, `! ${form(one)}, e`, { language: 'de' }).text).toBe('! <>, e')
    }),
  )
})
