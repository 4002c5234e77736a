// The second at which the words of a search were said.
// What the server finds is test/captures'.

import { expect, test } from 'bun:test'
import { findSpoken } from '../../src/ui/capture/find-spoken.ts'

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

test('is that of the first word that begins so, whatever its case and accents', () => {
  expect(findSpoken(segments, 'ZOE')).toBe(4)
  expect(findSpoken(segments, 'offi')).toBe(15)
})

test('is in the segment that has the most of the words', () => {
  expect(findSpoken(segments, '"report" office')).toBe(11)
})

test('is none where they were not said', () => {
  expect(findSpoken(segments, 'holiday')).toBeNull()
  expect(findSpoken(segments, '  ')).toBeNull()
})
