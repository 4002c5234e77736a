import { expect, test } from 'bun:test'
import {
  isUnsure,
  lastBegun,
  timedWords,
  wordIndexAt,
  wordIndexOf,
} from '../../../src/ui/capture/timed-words.ts'

const word = (text: string, start: number, end: number, probability: number | null = 0.9) => ({
  word: text,
  start,
  end,
  probability,
})
const segment = (id: number, text: string, words: ReturnType<typeof word>[]) => ({
  id,
  start: words[0]?.start ?? 0,
  end: words.at(-1)?.end ?? 0,
  text,
  language: null,
  avg_logprob: null,
  no_speech_prob: null,
  words,
})
const segments = [
  segment(0, 'the cat, the dog', [
    word('the', 0, 0.2),
    word(' cat,', 0.2, 0.6),
    word('lost', 0.6, 0.7),
    word('the', 1.5, 1.7, 0.3),
    word('dog', 1.7, 2),
  ]),
  segment(1, '猫が好き', [word('猫', 5, 5.2), word('が', 5.2, 5.3), word('好き', 5.3, 5.9)]),
]

test('each word has its offset, also if repeated, and one that the text lacks is left out', () => {
  const places = timedWords(segments).map(({ segment, from, to }) => segments[segment]!.text.slice(from, to))
  expect(places).toEqual(['the', 'cat,', 'the', 'dog', '猫', 'が', '好き'])
  expect(timedWords(segments)[2]).toMatchObject({ segment: 0, from: 9, to: 12, start: 1.5 })
})

test('a word is current from its start until shortly after its end, and none in a silence', () => {
  const words = timedWords(segments)
  expect(wordIndexAt(words, 0)).toBe(0)
  expect(wordIndexAt(words, 0.59)).toBe(1)
  expect(wordIndexAt(words, 0.9)).toBe(1)
  expect(wordIndexAt(words, 1.2)).toBe(-1)
  expect(wordIndexAt(words, 1.5)).toBe(2)
  expect(wordIndexAt(words, 4)).toBe(-1)
  expect(wordIndexAt([], 1)).toBe(-1)
})

test('the binary search for the last begun word agrees with a linear search', () => {
  const timed = Array.from({ length: 1000 }, (_, at) => ({ start: Math.floor(at / 3) }))
  for (const seconds of [-1, 0, 0.5, 1, 17.2, 332, 333, 1e9])
    expect(lastBegun(timed, seconds)).toBe(timed.findLastIndex(({ start }) => start <= seconds))
})

test('an offset in a text belongs to the word there or before it, and to none of another segment', () => {
  const words = timedWords(segments)
  expect(wordIndexOf(words, 0, 5)).toBe(1)
  expect(wordIndexOf(words, 0, 8)).toBe(1)
  expect(wordIndexOf(words, 1, 0)).toBe(4)
  expect(wordIndexOf(words, 7, 0)).toBe(-1)
})

test('a word is unsure below a half, but not without a confidence', () => {
  expect(timedWords(segments).filter(isUnsure).length).toBe(1)
  expect(isUnsure({ probability: null })).toBe(false)
})
