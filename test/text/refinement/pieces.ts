// Generates random dictated texts in all languages, with content that refinement must never lose.

import fc from '../../support/fast-check.ts'
import { FLAGS, LANGUAGES, RULES, readPairs } from './pairs.ts'

/** Content that stays unchanged in any context. */
export const KEPT = [
  'https://example.com/um/a?b=1&c=uh#x',
  'http://localhost:3000',
  'www.example.org',
  'anna.lee+um@example.co.uk',
  'getUserName',
  'HTMLParser',
  'user_id',
  'MAX_RETRIES',
  '/usr/local/bin',
  './src/main.ts',
  'C:\\Users\\um',
  'src/text/a.ts',
  'package.json',
  '--dry-run',
  '-v',
  '--out=file.txt',
  'v1.2.3',
  '10.0.0-rc.1',
  'std::vector',
  'foo()',
  '"um, the the comma"',
  '“no wait, uh”',
  '«euh, je, je»',
  '„ähm, also“',
  '「えーと、はい」',
  '`so um = 1`',
]

/** Written forms of numbers, which must not lose a digit. */
export const NUMBERS = [
  '5',
  '42',
  '1,234.56',
  '12:30',
  '2026-11-22',
  '3.5%',
  '$20',
  '555-0123',
  '007',
  '1.250,00',
]

const WORDS = [
  ...[
    'um',
    'uh',
    'you know',
    'like',
    'I mean',
    'I',
    'I I',
    'the the',
    'we need to',
    'comma',
    'period',
    'new line',
  ],
  ...[
    'that that',
    'very very',
    'Monday',
    'Tuesday',
    'no wait',
    'scratch that',
    'question mark',
    'dot com',
    'slash',
  ],
  ...[
    'ähm',
    'also',
    'ich',
    'die die',
    'Punkt',
    'Komma',
    'neue Zeile',
    'nein, ich meine',
    'Klammer auf',
    'Klammer zu',
  ],
  ...[
    'euh',
    'genre',
    'je je',
    'nous nous',
    'virgule',
    'à la ligne',
    'non pardon',
    'lundi',
    'mardi',
    'deux points',
  ],
  ...[
    'eh',
    'pues',
    'el el',
    'coma',
    'punto',
    'nueva línea',
    'perdón, digo',
    'lunes',
    'martes',
    'abre comillas',
  ],
  ...[
    'ehm',
    'allora',
    'virgola',
    'a capo',
    'anzi no',
    'hum',
    'tipo',
    'vírgula',
    'ponto',
    'quero dizer',
    'zeg maar',
  ],
  ...[
    'えーと',
    'あの、',
    '改行',
    '句点',
    '月曜日',
    'いや、',
    '火曜日',
    '呃',
    '那个，',
    '逗号',
    '换行',
    '不对，',
    '我我',
    '哈哈哈',
  ],
  ...[
    'twenty',
    'three',
    'hello',
    'world',
    'Anna',
    'open quote',
    'close quote',
    'underscore',
    'at',
    'dash dash',
    'don’t',
  ],
]

const SEPARATORS = [
  ' ',
  ' ',
  ' ',
  ', ',
  '. ',
  '? ',
  '! ',
  '\n',
  '\n\n',
  ' — ',
  '... ',
  '; ',
  '，',
  '。',
  '  ',
  ' , ',
]

const piece = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...WORDS) },
  { weight: 1, arbitrary: fc.constantFrom(...KEPT) },
  { weight: 1, arbitrary: fc.constantFrom(...NUMBERS) },
)

export const textOf = (pieces: fc.Arbitrary<string>) =>
  fc
    .array(fc.tuple(pieces, fc.constantFrom(...SEPARATORS)), { minLength: 1, maxLength: 25 })
    .map((parts) => parts.flat().join(''))

export const dictatedText = textOf(piece)

/** Texts of whole sentences from the pairs. */
export const dictatedSentences = async () => {
  const pairs = (await Promise.all(LANGUAGES.map(readPairs))).flat()
  return textOf(fc.constantFrom(...pairs.flatMap(({ input, expected }) => [input, expected])))
}

export const anyLanguage = fc.constantFrom<string | null>(...LANGUAGES, 'pl', 'tr', null)

const flag = fc.boolean()

export const anyOptions = fc.record({
  flags: fc.oneof(
    fc.constant(FLAGS),
    fc.record({ smartCleanup: flag, selfCorrection: flag, preserveTechnical: flag }),
  ),
  rules: fc.oneof(
    fc.constant(RULES),
    fc.record({
      removeFillers: flag,
      capitalize: fc.constantFrom('sentence' as const, 'none' as const, 'lower' as const),
      trailingPeriod: fc.constantFrom('keep' as const, 'add' as const, 'strip' as const),
      trailingSpace: flag,
      spokenPunctuation: flag,
      numbers: fc.constantFrom('words' as const, 'digits' as const),
      paragraphs: flag,
    }),
  ),
})
