import { expect, test } from 'bun:test'
import { applied, editText } from '../../../src/text/dictionary/apply.ts'
import { editsIn } from '../../../src/text/dictionary/find-edits.ts'
import fc from '../../support/fast-check.ts'
import { dictionaryOf } from './entries.ts'

const CHARACTERS = [
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
const someText = fc
  .array(fc.constantFrom(...CHARACTERS), { maxLength: 40 })
  .map((characters) => characters.join(''))
const anyText = fc.oneof(someText, fc.string({ unit: 'binary', maxLength: 40 }))
const word = someText
  .map((text) => text.trim().replace(/\s+/g, ' ').normalize('NFC'))
  .filter((text) => text !== '')
const language = fc.constantFrom(null, 'en', 'tr', 'de')
const words = fc.uniqueArray(
  fc.record({ word, wholeWord: fc.boolean(), caseSensitive: fc.boolean(), isRegex: fc.constant(false) }),
  { maxLength: 6, selector: ({ word: one }) => one },
)

test('returns a text without a match unchanged', async () => {
  const dictionary = await dictionaryOf(
    { word: 'zzz', replacement: 'x' },
    { word: 'z{3}y', replacement: 'x', isRegex: true },
  )
  await fc.assert(
    fc.asyncProperty(anyText, language, async (text, spoken) => {
      fc.pre(!/z/i.test(text.normalize('NFKC')))
      expect((await applied(dictionary, text, { language: spoken })).text).toBe(text)
    }),
  )
})

test('edits are ordered, do not overlap, are within the text, and never split a character', async () => {
  await fc.assert(
    fc.asyncProperty(words, anyText, language, async (entries, text, spoken) => {
      const dictionary = await dictionaryOf(...entries.map((one) => ({ ...one, replacement: '<>' })))
      const { edits } = await editsIn(dictionary, text, { language: spoken })
      const boundaries = new Set(
        [...new Intl.Segmenter('und', { granularity: 'grapheme' }).segment(text)].map(({ index }) => index),
      ).add(text.length)
      let done = 0
      for (const { from, to } of edits) {
        expect(from).toBeGreaterThanOrEqual(done)
        expect(to).toBeGreaterThan(from)
        // A run of spaces is matched as one.
        for (const at of [from, to]) expect(boundaries.has(at) || /\s/.test(text[at - 1]!)).toBe(true)
        done = to
      }
      expect(done).toBeLessThanOrEqual(text.length)
    }),
  )
})

test('does not rewrite its own output: a word replaced by itself twice stays doubled', async () => {
  await fc.assert(
    fc.asyncProperty(words, someText, language, async (entries, text, spoken) => {
      const twice = await dictionaryOf(
        ...entries.map((one) => ({ ...one, replacement: `${one.word} ${one.word}` })),
      )
      const { edits } = await editsIn(twice, text, { language: spoken })
      const kept = text.length - edits.reduce((sum, { from, to }) => sum + to - from, 0)
      const written = edits.reduce((sum, edit) => sum + edit.text.length, 0)
      expect(editText(text, edits)).toHaveLength(kept + written)
    }),
  )
})

test('finds a whole word, composed or decomposed, in any case', async () => {
  const plain = fc
    .array(fc.constantFrom(...'abcéèüßñåöøçλμяйёकखश'), { minLength: 1, maxLength: 12 })
    .map((letters) => letters.join(''))
  const forms = fc.constantFrom<((text: string) => string)[]>(
    (text) => text.normalize('NFD'),
    (text) => text.toUpperCase(),
    (text) => text.toUpperCase().normalize('NFD'),
    (text) => text,
  )
  await fc.assert(
    fc.asyncProperty(plain, forms, async (one, form) => {
      const dictionary = await dictionaryOf({ word: one.normalize('NFC'), replacement: '<>' })
      expect((await applied(dictionary, `! ${form(one)}, e`, { language: 'de' })).text).toBe('! <>, e')
    }),
  )
})
