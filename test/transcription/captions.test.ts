import { expect, test } from 'bun:test'
import { captionsOf, widthOf } from '../../src/transcription/captions.ts'

const SENTENCES =
  'The caption is short enough to read. It ends with its sentence, “where that is possible”, and never in a word.'

/** A word each half second. */
const timed = (text: string, apart = ' ') =>
  text.split(apart).map((word, at) => ({
    word: word.replace(/[.,”]+$/u, ''),
    ...{ startMs: at * 500, endMs: at * 500 + 400, probability: null },
  }))

const LIMITS = { lineCharacters: 24, lines: 2, seconds: 4 }

test('keeps the limits, the text and the times of the words', () => {
  const words = timed(SENTENCES)
  const captions = captionsOf([{ startMs: 0, endMs: 60_000, text: ` ${SENTENCES}`, words }], LIMITS)
  expect(captions.map(({ text }) => text.replaceAll('\n', ' ')).join(' ')).toBe(SENTENCES)
  for (const { text, startMs, endMs } of captions) {
    expect(text.split('\n').length).toBeLessThanOrEqual(2)
    for (const line of text.split('\n')) expect(widthOf(line)).toBeLessThanOrEqual(24)
    expect(endMs - startMs).toBeLessThanOrEqual(4000)
    expect(startMs % 500).toBe(0)
  }
  expect(captions[0]).toEqual({ startMs: 0, endMs: 3400, text: 'The caption is short\nenough to read.' })
})

test('gives each word its share of the time if the words are not those of the text', () => {
  const words = timed('Something else was said')
  const captions = captionsOf([{ startMs: 1000, endMs: 9000, text: SENTENCES, words }], LIMITS)
  expect(captions[0]!.startMs).toBe(1000)
  expect(captions.at(-1)!.endMs).toBe(9000)
  for (const { startMs, endMs } of captions) expect(endMs).toBeGreaterThan(startMs)
  expect(captions.map(({ text }) => text.replaceAll('\n', ' ')).join(' ')).toBe(SENTENCES)
})

test('breaks text without spaces between words', () => {
  const text = '今日はとても良い天気ですから、公園まで散歩に行きましょう。'
  const captions = captionsOf([{ startMs: 0, endMs: 8000, text }], { ...LIMITS, lineCharacters: 10 })
  expect(captions.map((caption) => caption.text.replaceAll('\n', '')).join('')).toBe(text)
  for (const caption of captions)
    for (const line of caption.text.split('\n')) expect(widthOf(line)).toBeLessThanOrEqual(10)
})

test('a single word may exceed the limits, and a segment without text has no caption', () => {
  const long = 'Donaudampfschifffahrtsgesellschaft'
  const segments = [
    { startMs: 0, endMs: 9000, text: long },
    { startMs: 9000, endMs: 9500, text: ' ' },
  ]
  expect(captionsOf(segments, LIMITS)).toEqual([{ startMs: 0, endMs: 9000, text: long }])
})
