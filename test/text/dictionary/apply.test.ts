import { expect, test } from 'bun:test'
import { applied } from '../../../src/text/dictionary/apply.ts'
import { testAtLength } from '../../support/at-length.ts'
import { turnsDuring } from '../../support/event-loop.ts'
import { dictionaryOf, type EntryLike } from './entries.ts'

type Case = [what: string, entries: EntryLike[], language: string | null, text: string, expected: string]

const to = (word: string, replacement: string, more: Partial<EntryLike> = {}): EntryLike => ({
  word,
  replacement,
  ...more,
})

const CASES: Case[] = [
  ['ignoring case', [to('github', 'GitHub')], 'en', 'GITHUB and Github.', 'GitHub and GitHub.'],
  [
    'matching case if required',
    [to('US', 'U.S.', { caseSensitive: true })],
    'en',
    'tell us US',
    'tell us U.S.',
  ],
  ['whole words only', [to('cat', 'dog')], 'en', 'cat concat cats cat_s _cat', 'dog concat cats cat_s _cat'],
  ['parts of words if allowed', [to('cat', 'dog', { wholeWord: false })], 'en', 'concat cats', 'condog dogs'],
  ['beside punctuation', [to('cat', 'dog')], 'en', '(cat), "cat"—cat…cat’s', '(dog), "dog"—dog…dog’s'],
  ['no part of a contraction', [to('can', 'may')], 'en', "can can't can’t", "may can't can’t"],
  [
    'the longest first',
    [to('new york', 'NY'), to('new york times', 'NYT')],
    'en',
    'New York Times, New York',
    'NYT, NY',
  ],
  ['from the left', [to('a b', '1'), to('b c d', '2')], 'en', 'a b c d', '1 c d'],
  ['in a single pass', [to('a', 'b'), to('b', 'a')], 'en', 'a b a', 'b a b'],
  ['its own output not again', [to('x', 'x x')], 'en', 'x x', 'x x x x'],
  [
    'by aliases',
    [to('btw', 'by the way', { aliases: ['b t w', 'bee tee double you'] })],
    'en',
    'B T W, bee tee  double\nyou',
    'by the way, by the way',
  ],
  [
    'the misheard forms of a term',
    [{ word: 'PGlite', type: 'term', aliases: ['pg light'] }],
    'en',
    'PG Light and pglite',
    'PGlite and pglite',
  ],
  [
    'the replacement as it was typed',
    [to('addr', 'Straße 1,\n\tBERLIN $1 {{date}}')],
    'en',
    'ADDR',
    'Straße 1,\n\tBERLIN $1 {{date}}',
  ],
  ['in its language', [to('gift', 'present', { language: 'en' })], 'de', 'gift', 'gift'],
  [
    'in any language if the language is unknown',
    [to('gift', 'present', { language: 'en' })],
    null,
    'gift',
    'present',
  ],
  [
    'entries for the language before entries for all languages',
    [to('chat', '1'), to('chat', '2', { id: 'z', language: 'fr' })],
    'fr',
    'chat',
    '2',
  ],
  ['nothing by a disabled entry', [to('a', 'b', { enabled: false })], 'en', 'a', 'a'],
  ['one full stop at the end', [to('inc', 'Inc.')], 'en', 'I work at Acme inc.', 'I work at Acme Inc.'],
  ['no second full stop', [to('inc', 'Inc.')], 'en', 'At Acme Inc. We', 'At Acme Inc. We'],
  [
    'an abbreviation before other punctuation',
    [to('inc', 'Inc.')],
    'en',
    'Acme inc, inc? inc! inc: inc; (inc.) inc… inc...',
    'Acme Inc., Inc.? Inc.! Inc.: Inc.; (Inc.) Inc.… Inc...',
  ],
  [
    'one full stop around a quotation',
    [to('inc', 'Inc.')],
    'en',
    '“Acme inc”. “inc.” (inc).',
    '“Acme Inc.” “Inc.” (Inc.).',
  ],
  [
    'a name with its own punctuation',
    [to('yahoo', 'Yahoo!')],
    'en',
    'At yahoo. yahoo! yahoo, yahoo?',
    'At Yahoo! Yahoo! Yahoo!, Yahoo!?',
  ],
  ['an ellipsis', [to('well', 'well…')], 'en', 'well. well… well, well?', 'well… well… well…, well…?'],
  [
    'a snippet that ends its own sentence',
    [{ type: 'snippet', word: 'my greeting', replacement: 'Dear all,' }, to('my sign off', 'Yours,\nAnna\n')],
    'en',
    'My greeting. My sign off.',
    'Dear all, Yours,\nAnna\n',
  ],
  [
    'Chinese punctuation',
    [to('再见', '再见。'), to('公司', '公司，')],
    'zh',
    '再见。 再见， 再见. 公司。 公司，',
    '再见。 再见。 再见。 公司， 公司，',
  ],
  [
    'Arabic, Urdu and Hindi punctuation',
    [to('لماذا', 'لماذا؟'), to('ہے', 'ہے۔'), to('है', 'है।')],
    null,
    'لماذا؟ ہے۔ है।',
    'لماذا؟ ہے۔ है।',
  ],
  ['a full stop with an accent', [to('a', 'A.')], 'en', 'a.\u0301', 'A..\u0301'],
  [
    'spoken punctuation to the word before it',
    [to('comma', ',')],
    'en',
    'one comma two, comma three',
    'one, two, three',
  ],
  ['a name that begins with a full stop', [to('dot net', '.NET')], 'en', 'I use dot net.', 'I use .NET.'],
  [
    'spaces around a replacement',
    [to('dash', ' – '), to('foo', 'foo ')],
    'en',
    'a dash b, foo. foo bar',
    'a – b, foo. foo bar',
  ],
  ['by nothing, with one space less', [to('um', '')], 'en', 'so um yes um. Um, um', 'so yes.,'],

  ['ß and SS alike', [to('Straße', 'Weg')], 'de', 'STRASSE STRAẞE straße Straßen', 'Weg Weg Weg Straßen'],
  ['ß for ss without a closer match', [to('strasse', 'Weg')], 'de', 'Straße', 'Weg'],
  [
    'the closer of Maße and Masse',
    [to('Maße', '1'), to('Masse', '2')],
    'de',
    'Maße Masse maße MASSE',
    '1 2 1 2',
  ],
  ['no half of ß', [to('s', 'x', { wholeWord: false })], 'de', 'ß s', 'ß x'],
  [
    'Turkish capitals in Turkish',
    [to('istanbul', 'X'), to('ısı', 'Y')],
    'tr',
    'İSTANBUL ISTANBUL ISI isi',
    'X ISTANBUL Y isi',
  ],
  ['Turkish capitals in Azerbaijani', [to('iki', '2')], 'az', 'İKİ IKI', '2 IKI'],
  ['I as elsewhere in other languages', [to('inbox', 'X')], 'en', 'INBOX İnbox', 'X X'],
  ['dotless i as a distinct letter', [to('sık', 'X')], null, 'sik sık SIK', 'sik X SIK'],
  ['the three sigmas', [to('λόγος', 'X')], 'el', 'ΛΌΓΟΣ λόγοσ λόγος', 'X X X'],
  ['ligatures', [to('office', 'X')], 'en', 'oﬃce', 'X'],
  ['combining accents', [to('café', 'X')], 'fr', 'cafe\u0301 CAFE\u0301 café cafe', 'X X X cafe'],
  ['no character without its accent', [to('cafe', 'X')], 'fr', 'cafe\u0301 cafés cafe', 'cafe\u0301 cafés X'],
  ['accents in another order', [to('ṩ', 'X')], 'en', 's\u0307\u0323 s\u0323\u0307', 'X X'],
  ['Vietnamese', [to('tiếng việt', 'X')], 'vi', 'Tie\u0302\u0301ng Vie\u0323\u0302t', 'X'],
  ['decomposed Hangul', [to('한글', 'X')], 'ko', '한글'.normalize('NFD'), 'X'],
  ['Cyrillic', [to('ёлка', 'X')], 'ru', 'ЁЛКА е\u0308лка ёлкам', 'X X ёлкам'],
  ['Hindi whole characters', [to('नमस्त', 'X', { wholeWord: false })], 'hi', 'नमस्ते नमस्त', 'नमस्ते X'],

  ['Chinese without spaces', [to('北京', '首都')], 'zh', '我在北京工作', '我在首都工作'],
  ['Latin within Chinese', [to('AI', '人工智能')], 'zh', '使用AI技术 FAIR', '使用人工智能技术 FAIR'],
  ['Kana', [to('サーバー', 'server')], 'ja', 'このサーバーは', 'このserverは'],
  ['Thai without spaces', [to('กรุงเทพ', 'Bangkok')], 'th', 'ฉันอยู่ที่กรุงเทพครับ', 'ฉันอยู่ที่Bangkokครับ'],
  ['Thai whole characters', [to('ก', 'X')], 'th', 'กำ ก', 'กำ X'],
  [
    'Lao, Khmer and Myanmar',
    [to('ລາວ', '1'), to('ខ្មែរ', '2'), to('မြန်မာ', '3')],
    null,
    'ພາສາລາວດີ ភាសាខ្មែរល្អ မြန်မာစာ',
    'ພາສາ1ດີ ភាសា2ល្អ 3စာ',
  ],
  ['not inside of Korean words', [to('한국', 'X')], 'ko', '한국 한국어', 'X 한국어'],

  ['beside emoji', [to('hello', 'X')], 'en', '👍🏽hello👩‍💻 hello🇩🇪', '👍🏽X👩‍💻 X🇩🇪'],
  [
    'whole emoji only',
    [to('👍', 'X'), to('👩', 'Y'), to('🇩🇪', 'Z')],
    'en',
    '👍🏽 👍 👩‍💻 👩 🇩🇪🇫🇷 🇩🇪',
    '👍🏽 X 👩‍💻 Y Z🇫🇷 Z',
  ],
  ['emoji of several parts', [to('👩‍💻', 'dev')], 'en', 'a👩‍💻b', 'adevb'],
  ['digits with a keycap not as digits', [to('1', 'one')], 'en', '1️⃣ 1', '1️⃣ one'],
  ['characters outside the basic plane', [to('𝒳', 'X'), to('𐐨', 'Y')], 'en', '𝒳 𐐀', 'X Y'],
  ['other spaces', [to('a b', 'X')], 'fr', 'a\u00a0b a\u202f b a\t\n b', 'X X X'],
  ['typographic apostrophes', [to("rock 'n' roll", 'X')], 'en', 'rock ’n’ roll', 'X'],

  [
    'patterns with groups',
    [to('(\\w+) at (\\w+) dot com', `$1@\${2}.com$$`, { isRegex: true })],
    'en',
    'Ann At example dot com',
    'Ann@example.com$',
  ],
  ['named groups', [to('(?<day>\\d+)th', `\${day}. $&`, { isRegex: true })], 'en', 'the 5th', 'the 5. 5th'],
  ['groups without a match', [to('a(b)?c', '[$1]', { isRegex: true })], 'en', 'ac abc', '[] [b]'],
  ['patterns in whole words', [to('\\d+', '#', { isRegex: true })], 'en', '12 a12 12b', '# a12 12b'],
  [
    'patterns in parts of words',
    [to('\\d+', '#', { isRegex: true, wholeWord: false })],
    'en',
    '12 a12b',
    '# a#b',
  ],
  ['patterns ignoring case', [to('[a-c]+', '#', { isRegex: true })], 'en', 'ABC', '#'],
  [
    'patterns matching case',
    [to('[a-c]+', '#', { isRegex: true, caseSensitive: true })],
    'en',
    'ABC abc',
    'ABC #',
  ],
  [
    'patterns in decomposed text',
    [to('caf.', '#', { isRegex: true })],
    'fr',
    'e\u0301 cafe\u0301!',
    'e\u0301 #!',
  ],
  [
    'patterns and words by length',
    [to('a.c', '1', { isRegex: true }), to('abc d', '2'), to('ab', '3', { wholeWord: false })],
    'en',
    'abc d abc ab',
    '2 1 3',
  ],
  ['patterns line by line', [to('a.*', '#', { isRegex: true })], 'en', 'ab c\nab', '#\n#'],
]

test.each(CASES)('rewrites %s', async (_what, entries, language, text, expected) => {
  expect((await applied(await dictionaryOf(...entries), text, { language })).text).toBe(expected)
})

test('returns the entries that changed the text, with counts, in the order of the text', async () => {
  const dictionary = await dictionaryOf(
    to('a', 'A'),
    to('b', '1', { id: 'second' }),
    to('c', '2', { id: 'never' }),
  )
  expect((await applied(dictionary, 'b x A b a', { language: 'en' })).applied).toEqual([
    { id: 'second', count: 2 },
    { id: 'a', count: 1 },
  ])
})

test('returns the terms that were recognised correctly', async () => {
  const dictionary = await dictionaryOf({ word: 'Elysia', type: 'term' }, { word: 'Bun', type: 'term' })
  const result = await applied(dictionary, 'elysia, Elysia and buns', { language: 'en' })
  expect({ seen: result.seen, applied: result.applied }).toEqual({
    seen: [{ id: 'Elysia', count: 2 }],
    applied: [],
  })
})

const SNIPPET = await dictionaryOf({
  word: 'sign off',
  type: 'snippet',
  replacement: '{{ Date }}, {{time}}: {{clipboard}} {{name}} $1',
})
const NOW = new Date('2026-03-04T15:06:07Z')

test.each([
  ['en', 'March 4, 2026, 3:06 PM'],
  ['de', '4. März 2026, 15:06'],
  ['fr', '4 mars 2026, 15:06'],
  ['ja', '2026年3月4日, 15:06'],
  [null, 'March 4, 2026, 3:06 PM'],
])('snippets format date and time for the language %s', async (language, expected) => {
  const surroundings = { language, now: NOW, timeZone: 'UTC', clipboard: '{{date}} $&' }
  const { text, missing } = await applied(SNIPPET, 'Sign off.', surroundings)
  expect({ text, missing }).toEqual({ text: `${expected}: {{date}} $& {{name}} $1.`, missing: [] })
})

test('snippets use the date in the time zone', async () => {
  const surroundings = { language: 'de', now: new Date('2026-03-04T23:30:00Z'), timeZone: 'Asia/Tokyo' }
  expect((await applied(SNIPPET, 'sign off', surroundings)).text).toStartWith('5. März 2026, 08:30')
})

test('removes placeholders without a value, and returns them', async () => {
  const { text, missing } = await applied(SNIPPET, 'sign off', { language: 'en' })
  expect(text).toBe(', :  {{name}} $1')
  expect(missing.map(({ placeholder }) => placeholder)).toEqual(['date', 'time', 'clipboard'])
})

test('treats addresses as whole words, and can replace them as a whole', async () => {
  const dictionary = await dictionaryOf(
    ...[to('anna', 'Anna Keller'), to('example', 'Example Ltd'), to('bob@ex.org', 'Bob')],
  )
  const apply = async (text: string) => (await applied(dictionary, text, { language: 'en' })).text
  for (const text of [
    'mail anna@example.com.',
    'see https://example.com/anna?x=example',
    'www.example.com',
    'x+anna@mail.example.com',
  ])
    expect(await apply(text)).toBe(text)
  expect(await apply('mail bob@ex.org, anna: example')).toBe('mail Bob, Anna Keller: Example Ltd')
  expect(await apply('anna @ example')).toBe('Anna Keller @ Example Ltd')
  const within = await dictionaryOf(to('anna', 'Ann', { wholeWord: false }))
  expect((await applied(within, 'anna@example.com', { language: 'en' })).text).toBe('Ann@example.com')
})

testAtLength('abandons a pattern that scans to the end for every character', async () => {
  const slow = to('(a)(?:.*z)?', 'b', { isRegex: true, wholeWord: false })
  const others = Array.from({ length: 20 }, (_, id) => ({ ...slow, id: `slow ${id}` }))
  const text = 'a'.repeat(100_000)
  const outcome = await applied(await dictionaryOf(...others, to('end', 'END')), `${text} end`, {
    language: 'en',
  })
  expect(outcome.text).toEndWith(' END')
  expect(outcome.givenUp.length).toBeGreaterThan(0)
})

testAtLength('applies a pattern in linear time that would backtrack exponentially', async () => {
  const dictionary = await dictionaryOf(to('(a+)+$', 'b', { isRegex: true }))
  const text = `${'a'.repeat(50_000)}!`
  expect((await applied(dictionary, text, { language: 'en' })).text).toBe(text)
})

test('serves others while it applies entries to hours of speech', async () => {
  const entries = Array.from({ length: 100 }, (_, at) => to(`word${at}`, `W${at}`))
  const dictionary = await dictionaryOf(...entries, to('x+', 'X', { isRegex: true }))
  const text = 'so then word7 came and word93 went. '.repeat(4000)
  const turns = await turnsDuring(() => applied(dictionary, text, { language: 'en' }))
  expect(turns).toBeGreaterThan(2)
})
