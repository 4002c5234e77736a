import { expect, test } from 'bun:test'
import fc from 'fast-check'
import type { Segment } from '../../src/engine/engine.ts'
import { correctWords as correctIn } from '../../src/transcription/second-pass.ts'
import { segment } from './spoken.ts'

const correctWords = (first: Segment[], again: Segment[], language = 'en') =>
  correctIn(first, again, language)

const textsOf = (segments: Segment[]) => segments.map(({ text }) => text.trim())

const corrected = (first: string, again: string, language?: string) =>
  textsOf(correctWords([segment(first, 0, 5000)], [segment(again, 0, 5000)], language))[0]

test('uses the second pass’s word with the time and punctuation of the first', () => {
  const first = segment('Space Shuttle Collumbia, is lost.', 0, 5000)
  const [found] = correctWords([first], [segment('space shuttle Columbia is lost', 0, 5000)])
  expect(found!.text).toBe('Space Shuttle Columbia, is lost.')
  expect(found!.words.map(({ word, startMs }) => [word, startMs])).toEqual([
    ['Space', 0],
    ['Shuttle', 1000],
    ['Columbia,', 2000],
    ['is', 3000],
    ['lost.', 4000],
  ])
})

test.each([
  ['two words for one', 'he has nothing further to say', 'he has no thing further to say'],
  ['a different number', 'He is 15 years old.', 'He is 50 years old.'],
  ['one word for two', 'come in to the house at once', 'come into the house at once'],
])('%s is a correction', (_, first, again) => expect(corrected(first, again)).toBe(again))

test.each([
  [
    'a missing sentence',
    'Add milk to the list. Add milk to the list. Thank you.',
    'Add milk to the list. Thank you.',
  ],
  ['a sentence from the preceding text', 'They went home.', 'Chapter twenty. They went home.'],
  ['a missing word', 'It is very cold today.', 'It is cold today.'],
  ['an added word', 'It is cold today.', 'It is very cold today.'],
  ['an entirely different text', 'It is cold today and it rains.', 'Seven men wrote eleven books there.'],
  ['far fewer words', 'one five five five two zero one nine is it', 'one 555-2019 is it'],
  ['a number in words', 'He is 21 years old.', 'He is twenty-one years old.'],
  ['a number in digits', 'Chapter XX begins.', 'Chapter 21 begins.'],
  ['a hallucinated ending', 'And so it goes on.', 'And so it goes. Thank you.'],
  ['a beginning from the preceding text', 'When they went home.', 'Chapter ten they went home.'],
  ['a percent sign in words', 'about 15% or so', 'about 50 percent or so'],
  ['a different apostrophe', "We don't know.", 'We don’t know.'],
  ['a different Unicode form of an accent', 'The cafe\u0301 is open.', 'the caf\u00e9 is open'],
  ['an empty text', 'It is cold.', ''],
  ['a repeated phrase', 'We wait here.', 'We sit. We sit. We sit. We sit. We sit here.'],
  ['a different case', 'IT is cold, Peter.', 'It is cold? peter'],
])('%s changes nothing', (_, first, again) => expect(corrected(first, again)).toBe(first))

test('compares words by the case rules of the language', () => {
  expect(corrected('İyi günler.', 'iyi günler.', 'tr')).toBe('İyi günler.')
})

test('changes case by the rules of the language', () => {
  expect(corrected('Belki geldi.', 'işte geldi.', 'tr')).toBe('İşte geldi.')
  expect(corrected('Biz işe geldik', 'Biz. Işık geldik', 'tr')).toBe('Biz ışık geldik')
})

test('a segment that continues a sentence still does', () => {
  const segments = [segment('So he went', 0, 2000), segment('town the road.', 2000, 4000)]
  const again = [segment('So he went down the road.', 0, 4000)]
  expect(textsOf(correctWords(segments, again))).toEqual(['So he went', 'down the road.'])
})

test.each([
  [
    'the beginning of a sentence stays uppercase',
    'At nine we left. In ten we came.',
    'at nine we left and ten we came',
    'At nine we left. And ten we came.',
  ],
  [
    '“a.m.” does not begin a sentence',
    'at 9 a.m. he left us',
    'at 9 a.m. we left us',
    'at 9 a.m. we left us',
  ],
  ['“I” stays uppercase', 'we came eye go soon', 'We came. I go soon', 'we came I go soon'],
  [
    'the middle of a sentence stays lowercase',
    'we left the sleigh and went',
    'We left. The slay and went',
    'we left the slay and went',
  ],
  ['a name keeps its capital', 'we met lady ann there', 'we met lady Anne there', 'we met lady Anne there'],
  [
    'a capital after an inner full stop is not adopted',
    'we came wheel go soon',
    'We came. We’ll go soon',
    'we came we’ll go soon',
  ],
])('%s', (_, first, again, expected) => expect(corrected(first, again)).toBe(expected))

test('ignores a difference across the end of a segment', () => {
  const segments = [segment('This was the ant.', 0, 2000), segment('His name was Paul.', 2000, 4000)]
  const again = [segment('This was the aunties name was Paul', 0, 4000)]
  expect(correctWords(segments, again)).toEqual(segments)
})

test('a corrected word keeps the old probability', () => {
  const [found] = correctWords(
    [segment('we saw the sleigh go', 0, 5000, 0.3)],
    [segment('we saw the slay go', 0, 5000, 0.99)],
  )
  expect(found!.words[3]).toEqual({ word: 'slay', startMs: 3000, endMs: 4000, probability: 0.3 })
})

test('loses no segment and changes no time, whatever the second pass contains', () => {
  const word = fc.constantFrom('one', 'two', 'three', 'four', 'five', 'Six.', 'seven,', '“Eight', '九')
  const text = fc.array(word, { minLength: 1, maxLength: 12 }).map((words) => words.join(' '))
  const transcript = fc
    .array(text, { minLength: 1, maxLength: 4 })
    .map((texts) => texts.map((one, i) => segment(one, i * 2000, i * 2000 + 2000)))
  fc.assert(
    fc.property(transcript, transcript, (first, again) => {
      const found = correctWords(first, again)
      const timeOf = ({ startMs, endMs }: Segment) => [startMs, endMs]
      expect(found.map(timeOf)).toEqual(first.map(timeOf))
      for (const [index, { text, words }] of found.entries()) {
        expect(words.map((one) => one.word.trim()).join(' ')).toBe(text.trim())
        const times = words.flatMap((one) => [one.startMs, one.endMs])
        expect(times).toEqual(times.toSorted((a, b) => a - b))
        expect(words[0]!.startMs).toBe(first[index]!.words[0]!.startMs)
      }
      expect(textsOf(correctWords(found, found))).toEqual(textsOf(found))
    }),
  )
})
