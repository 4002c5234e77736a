import { expect, test } from 'bun:test'
import { findSpoken, foundPlaces } from '../../../src/ui/capture/timed-words.ts'

const word = (text: string, start: number) => ({ word: text, start, end: start + 0.3, probability: 0.9 })
const segment = (id: number, text: string, from: number) => ({
  id,
  start: from,
  end: from + 5,
  text,
  language: null,
  avg_logprob: null,
  no_speech_prob: null,
  words: text.split(' ').map((one, at) => word(one, from + at)),
})
const segments = [segment(0, 'Send the report to Zoë', 0), segment(1, 'The report is about the office.', 10)]

test('finds the first word with the prefix, whatever its case and accents', () => {
  expect(findSpoken(segments, 'ZOE')).toBe(4)
  expect(findSpoken(segments, 'offi')).toBe(15)
})

test('prefers the segment with the most of the words', () => {
  expect(findSpoken(segments, '"report" office')).toBe(11)
})

test.each([
  ['Arabic hamza', 'قال أحمد اليوم', 'احمد', 1],
  ['a nukta', 'वह \u0958लम है', 'कलम', 1],
  ['the other script', '我們 明天 開會', '开会', 2],
  ['a compound', 'send an e-mail now', 'email', 2],
  ['a compound that is one word', 'send an email now', 'e-mail', 2],
  ['another number', 'all big cities grow', 'city', 2],
  ['a slip', 'a grey elephant came', 'elphant', 2],
  ['a phrase', 'the the office report', '"office report"', 2],
  ['a number', 'it costs 7,654 euros', '7654', 2],
])('finds a match with %s', (_what, text, words, at) => {
  expect(findSpoken([segment(0, 'nothing here', 0), segment(1, text, 10)], words)).toBe(10 + at)
})

test('finds every match by the characters of the text, and whole words', () => {
  expect(foundPlaces(['The Réports, e-mails', 'none'], 'report email')).toEqual([
    { segment: 0, from: 4, to: 11 },
    { segment: 0, from: 13, to: 20 },
  ])
  expect(foundPlaces(['我們開會了'], '开会')).toEqual([{ segment: 0, from: 2, to: 4 }])
  expect(foundPlaces(['a confrence'], 'conference')).toEqual([{ segment: 0, from: 2, to: 11 }])
})

test('returns null if the words were not spoken', () => {
  expect(findSpoken(segments, 'holiday')).toBeNull()
  expect(findSpoken(segments, '  ')).toBeNull()
})
