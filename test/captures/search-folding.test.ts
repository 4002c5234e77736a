// Search folding on a real database: characters that keyboards exchange, scripts with several forms, numbers and
// compounds with and without punctuation, singular and plural, and typing errors.

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { succeed } from '../../src/lib/result.ts'
import { finishedCapture, openArchive, said, type TestArchive } from '../support/archive.ts'
import { createTestFolder } from '../support/database.ts'

let archive: TestArchive
let next = ''

beforeAll(async () => {
  archive = await openArchive({ transcribe: async () => succeed(said(next)) })
}, 180_000)
afterAll(() => archive[Symbol.asyncDispose]())

const keep = async (text: string) => {
  next = text
  return (await finishedCapture(archive, { fileName: null })).id
}
const find = async (q: string) => (await archive.captures.list({ q, limit: 50, offset: 0 })).items
const highlightOf = async (q: string, id: string) => (await find(q)).find((one) => one.id === id)?.highlight

/** The spoken text, the queries, and the marked match. */
const ALIKE: [what: string, said: string, typed: string[], marked: string][] = [
  ['Arabic hamza', 'قال أحمد ذلك', ['احمد', 'إحمد', 'آحمد'], 'أحمد'],
  ['Arabic hamza on a carrier', 'هذا سؤال سئل', ['سوال', 'سؤال'], 'سؤال'],
  ['Arabic teh marbuta', 'في مدرسة كبيرة', ['مدرسه'], 'مدرسة'],
  ['Arabic alef maksura', 'ذهب إلى على', ['علي'], 'على'],
  ['Persian kaf and yeh', 'این کتاب است', ['كتاب'], 'کتاب'],
  ['Arabic kaf and yeh in Persian', 'كتابي دارم', ['کتابی'], 'كتابي'],
  ['tatweel and vowel points', 'كتـــاب مُحَمَّد', ['محمد'], 'مُحَمَّد'],
  ['a Persian joint that is not shown', 'من می\u200cروم خانه', ['میروم', 'می\u200cروم'], 'می\u200cروم'],
  ['Hindi nukta, composed', 'वह \u0958लम है', ['कलम', 'क\u093cलम'], '\u0958लम'],
  ['Hindi nukta, in parts', 'यह पढ\u093cना है', ['पढना', 'प\u095dना'], 'पढ\u093cना'],
  ['Bengali nukta', 'সে প\u09dc\u09be করে', ['প\u09a1\u09be', 'প\u09a1\u09bc\u09be'], 'প\u09dc\u09be'],
  ['Oriya nukta', 'ସେ ପ\u0b22\u0b3c\u0b3e କରେ', ['ପ\u0b22\u0b3e', 'ପ\u0b5d\u0b3e'], 'ପ\u0b22\u0b3c\u0b3e'],
  ['Punjabi nukta', 'ਇਹ \u0a5bਮੀਨ ਹੈ', ['ਜਮੀਨ', 'ਜ\u0a3cਮੀਨ'], '\u0a5bਮੀਨ'],
  ['a Hindi half letter', 'वह हिन्दी बोले', ['हिंदी', 'हिन्दी'], 'हिन्दी'],
  ['a Hindi anusvara', 'यह मुंबई अंक चंचल', ['मुम्बई'], 'मुंबई'],
  ['half letters before letters of no class', 'अन्य सन्मान', ['अन्य'], 'अन्य'],
  ['Hindi nasal vowels', 'हाँ जी', ['हां'], 'हाँ'],
  ['traditional characters', '我們明天開會討論計畫', ['开会', '開會'], '開會'],
  ['simplified characters', '请打开电脑', ['電腦', '电脑'], '电脑'],
  ['wide letters and digits', 'ＡＢＣ１２３ｚ', ['abc123z'], 'ＡＢＣ１２３ｚ'],
  ['narrow kana', 'ﾃｽﾄです', ['テスト'], 'ﾃｽﾄ'],
  ['Arabic digits', 'عام ١٩٨٤ كان', ['1984'], '١٩٨٤'],
  ['Persian digits', 'سال ۱۴۰۲ بود', ['1402'], '۱۴۰۲'],
  ['Devanagari digits', 'साल २०३१ में', ['2031'], '२०३१'],
  ['a number with separators', 'It costs 7,654 euros', ['7654', '7.654', '7 654', '7,654', "7'654"], '7,654'],
  ['a number without separators', 'Er zahlt 87654 Euro', ['87.654', '87 654', '87,654'], '87654'],
  [
    'a number in Indian groups',
    'दाम 3,21,00,654 रुपये',
    ['32100654', '3,21,00,654', '32,100,654'],
    '3,21,00,654',
  ],
  ['a number with separators in the query only', 'cost 543210 rupees', ['5,43,210', '543,210'], '543210'],
  ['a compound with a hyphen', 'Send an e-mail now', ['email', 'e-mail'], 'e-mail'],
  ['a compound without one', 'That voicemail came', ['voice-mail', 'voicemail'], 'voicemail'],
  ['a missing apostrophe', 'They couldn’t come', ['couldnt', "couldn't"], 'couldn’t'],
  ['initials with full stops', 'In the U.S. today', ['us', 'U.S.'], 'U.S'],
  ['ß', 'Die Straßenbahn', ['strassenbahn'], 'Straßenbahn'],
  ['a plural', 'Two conferences ended', ['conference'], 'conference'],
  ['a singular', 'One symposium hypothesis gallery', ['galleries'], 'gallery'],
  ['a plural in -ies', 'Big cities grow', ['city'], 'cities'],
  ['a missing letter', 'An enormous elephant', ['elphant'], 'elephant'],
  ['an extra letter', 'A purple umbrella', ['umbreella'], 'umbrella'],
  ['a wrong letter', 'My neighbour Wilhelmina', ['wilhelmyna'], 'Wilhelmina'],
  ['two swapped letters', 'The penguin swam', ['pengiun'], 'penguin'],
  ['a typing error in the text', 'We had a conferance yesterday', ['conferance'], 'conferance'],
]

test.each(ALIKE)('%s', async (_what, text, typed, marked) => {
  const id = await keep(text)
  for (const q of typed) expect(await highlightOf(q, id), q).toContain(`<mark>${marked}</mark>`)
})

test('ranks exact words first, then other grammatical numbers, then typing errors', async () => {
  const typo = await keep('the wallaby slept')
  const exact = await keep('a walaby there, walaby')
  const later = await keep('all wallaby again')
  expect((await find('walaby')).map(({ id }) => id)).toEqual([exact, later, typo])
  const plural = await keep('many gazettes')
  const singular = await keep('one gazette')
  expect((await find('gazettes')).map(({ id }) => id)).toEqual([plural, singular])
})

test('continues pages from exact matches to typing errors, and counts both', async () => {
  const ids = []
  for (const text of ['kangaroo one', 'kangaro two', 'kangaroo three', 'kangarooo four'])
    ids.push(await keep(text))
  const page = async (offset: number) =>
    archive.captures.list({ q: 'kangaroo', limit: 2, offset }).then(({ items, total }) => ({
      ids: items.map(({ id }) => id),
      total,
    }))
  expect(await page(0)).toEqual({ ids: [ids[2]!, ids[0]!], total: 4 })
  expect(await page(2)).toEqual({ ids: [ids[3]!, ids[1]!], total: 4 })
  const oldest = await archive.captures.list({ q: 'kangaroo', sort: 'created_at', limit: 50, offset: 0 })
  expect(oldest.items.map(({ id }) => id)).toEqual(ids)
})

test.each([
  ['no typing errors in short words', 'the cart was here', 'cat'],
  ['no typing errors in phrases', 'a lonely giraffe sang', '"lonely girafe"'],
  ['two typing errors make another word', 'some hippopotamus ran', 'hipopotmus'],
  ['contractions are not split into words', 'and we’ll gather', 'well gather'],
  ['a word is not found by a longer one', 'they are therefore', 'thereforest'],
])('%s', async (_what, text, q) => {
  const id = await keep(text)
  expect((await find(q)).map((one) => one.id)).not.toContain(id)
})

test('excludes typing errors when a batch selects all matches', async () => {
  const exact = await keep('the armadillo')
  await keep('the armadilo')
  const { ids } = await archive.captures.ids({ meant: { q: 'armadillo' } })
  expect(ids).toEqual([exact])
})

test('reindexes captures of an earlier version at the next start', async () => {
  await using folder = await createTestFolder()
  next = 'قال أحمد'
  const first = await openArchive({ folder, transcribe: async () => succeed(said(next)) })
  const made = []
  for (let count = 0; count < 3; count += 1) made.push((await finishedCapture(first, { fileName: null })).id)
  await first.database.run((orm) =>
    orm.execute(
      "update capture_facts set search_digest = 'old', search_text = ' قال أحمد ', search_terms = '''أحمد'':1'::tsvector",
    ),
  )
  expect((await first.captures.list({ q: 'احمد', limit: 50, offset: 0 })).total).toBe(0)
  await first.stop()
  const second = await openArchive({ folder })
  const { items } = await second.captures.list({ q: 'احمد', limit: 50, offset: 0 })
  expect(items.map(({ id }) => id).toSorted()).toEqual(made.toSorted())
  await second.stop()
})
