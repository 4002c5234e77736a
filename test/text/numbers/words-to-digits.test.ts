import { describe, expect, test } from 'bun:test'
import { numberLanguage } from '../../../src/text/numbers/languages/languages.ts'
import { wordsToDigits } from '../../../src/text/numbers/words-to-digits.ts'
import { testAtLength } from '../../support/at-length.ts'
import fc, { numRuns } from '../../support/fast-check.ts'
import { SPELLED, SPOKEN } from './pairs.ts'

const LANGUAGES = ['en', 'de', 'fr', 'es', 'it', 'pt', 'nl', 'zh', 'ja']

/** A unit, so that small numbers also become digits. */
const PERCENT: Record<string, (words: string) => string> = {
  en: (words) => `${words} percent`,
  de: (words) => `${words} Prozent`,
  fr: (words) => `${words} pour cent`,
  es: (words) => `${words} por ciento`,
  it: (words) => `${words} per cento`,
  pt: (words) => `${words} por cento`,
  nl: (words) => `${words} procent`,
  zh: (words) => `百分之${words}`,
  ja: (words) => `${words}パーセント`,
}

/** Words of the language, so that random texts have many numbers. */
function vocabulary(language: string): string[] {
  const known = numberLanguage(language)!
  const words =
    known.script === 'letters'
      ? [...known.words.keys(), ...known.minus.words, ...known.ranges, ...known.labels, ...known.between]
      : Array.from('零〇一二三四五六七八九十百千万亿兆两点負负第月日年分時几')
  const around = [
    '%',
    '5',
    '20',
    '2.5',
    'x',
    '.',
    ',',
    '-',
    '\n',
    '`',
    '"',
    'percent',
    'minutes',
    'pm',
    '公里',
    '円',
  ]
  return [...words, ...around, ...SPOKEN[language]!.flatMap(([spoken]) => spoken.split(' '))]
}

const speech = (language: string) =>
  fc
    .array(
      fc.tuple(fc.constantFrom(...vocabulary(language)), fc.constantFrom(' ', ' ', ' ', '-', '', ', ', '. ')),
      {
        maxLength: 24,
      },
    )
    .map((parts) => parts.flat().join(''))

const digitsIn = (text: string) => text.replace(/[^0-9]/g, '')

describe.each(LANGUAGES)('numbers in %s', (language) => {
  test.each(SPOKEN[language]!)('%s is written %s', (spoken, written) => {
    expect(wordsToDigits(spoken, language)).toBe(written)
    expect(wordsToDigits(written, language)).toBe(written)
  })

  test.each(SPELLED[language]!)('%d is %s', (number, words) => {
    const written = wordsToDigits(PERCENT[language]!(words), language)
    // A count of millions keeps the word: 2 million.
    if (/^[0-9]+ ?%$/.test(written)) expect(digitsIn(written)).toBe(String(number))
    else expect(number % 10_000).toBe(0)
  })

  test('is idempotent and loses no digit', () => {
    fc.assert(
      fc.property(speech(language), (text) => {
        const once = wordsToDigits(text, language)
        expect(wordsToDigits(once, language)).toBe(once)
        const rest = digitsIn(once)
        let at = 0
        for (const digit of digitsIn(text)) {
          at = rest.indexOf(digit, at) + 1
          expect(at).toBeGreaterThan(0)
        }
      }),
      { numRuns: numRuns(600) },
    )
  })

  test('accepts any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
        const once = wordsToDigits(text, language)
        expect(wordsToDigits(once, language)).toBe(once)
      }),
    )
  })

  test('keeps code', () => {
    fc.assert(
      fc.property(speech(language), (text) => {
        const code = `\`${text.replace(/[`\n]/g, '')}x\``
        expect(wordsToDigits(`a ${code} b`, language)).toBe(`a ${code} b`)
      }),
      { numRuns: numRuns(50) },
    )
  })
})

test('changes nothing for other or unknown languages', () => {
  for (const language of [null, 'ru', 'ko', '']) {
    expect(wordsToDigits('twenty three 23 二十三', language)).toBe('twenty three 23 二十三')
  }
  expect(wordsToDigits('twenty three', 'en-US')).toBe('23')
})

testAtLength(
  'takes linear time for long texts',
  () => {
    const hostile = [
      'twenty ',
      'one ',
      'und',
      '`',
      '"',
      'a.',
      '1 ',
      '1.',
      '-',
      'x@',
      'one hundred and ',
      '百分之',
      '十',
      '一点',
    ]
    for (const piece of hostile) {
      const text = piece.repeat(200_000 / piece.length)
      for (const language of ['en', 'de', 'zh']) {
        expect(wordsToDigits(text, language).length).toBeGreaterThan(0)
      }
    }
  },
  20_000,
)
