import { expect, test } from 'bun:test'
import type { Segment } from '../../src/engine/engine.ts'
import { cutLoops, hasLoop } from '../../src/transcription/repetition.ts'
import { removeRanges, splitBefore } from '../../src/transcription/segment-edits.ts'
import { joinTexts } from '../../src/transcription/transcript.ts'
import fc from '../support/fast-check.ts'

/** A segment with one word every half second. */
function segment(text: string): Segment {
  const words = Array.from(text.matchAll(/\S+/g), ([word], index) => ({
    word,
    startMs: index * 500,
    endMs: index * 500 + 400,
    probability: 0.9,
  }))
  const endMs = words.at(-1)?.endMs ?? 0
  return { startMs: 0, endMs, text, avgLogprob: -0.2, noSpeechProb: null, words }
}

const textOf = (segments: Segment[]) => joinTexts(segments.map(({ text }) => text))

test('detects a repeated phrase and cuts it to one round, words included', () => {
  const looping = [segment(`We begin. ${'I am going to the store. '.repeat(9)}And so we end.`)]
  expect(hasLoop(looping)).toBe(true)
  const cut = cutLoops(looping)
  expect(textOf(cut)).toBe('We begin. I am going to the store. And so we end.')
  expect(cut[0]!.words.map(({ word }) => word).join(' ')).toBe(textOf(cut))
})

test('cuts a loop across segments to the first one', () => {
  const looping = Array.from({ length: 6 }, () => segment('Thank you very much.'))
  expect(textOf(cutLoops(looping))).toBe('Thank you very much.')
})

test('detects a loop without spaces', () => {
  expect(hasLoop([segment('谢谢大家'.repeat(12))])).toBe(true)
})

test.each([
  'My number is five five five two zero one nine.',
  'No, no, no, no, that is wrong.',
  'Very, very, very good. It was very, very good.',
  'Row, row, row your boat gently down the stream.',
])('keeps natural repetition: %s', (text) => {
  expect(hasLoop([segment(text)])).toBe(false)
  expect(textOf(cutLoops([segment(text)]))).toBe(text)
})

test('cutLoops terminates and leaves no loop', () => {
  const anyText = fc
    .array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 80 })
    .map((words) => segment(words.join(' ')))
  fc.assert(fc.property(fc.array(anyText, { maxLength: 4 }), (segments) => !hasLoop(cutLoops(segments))))
})

test('splitBefore results in two segments with the same text and words', () => {
  const whole = segment('Hello there, how are you?')
  const halves = splitBefore(whole, 2)
  expect(halves.map(({ text }) => text)).toEqual(['Hello there,', 'how are you?'])
  expect(halves.flatMap(({ words }) => words)).toEqual(whole.words)
  expect(halves.map(({ startMs, endMs }) => [startMs, endMs])).toEqual([
    [0, 900],
    [1000, 2400],
  ])
})

test('removing the beginning of a segment leaves no leading space', () => {
  const music = segment('[Music] Hello.')
  expect(removeRanges(music, [{ from: 0, to: 7 }])).toMatchObject({
    text: 'Hello.',
    words: [{ word: 'Hello.' }],
  })
})

test('removing all text of a segment returns null', () => {
  expect(removeRanges(segment('[BLANK_AUDIO]'), [{ from: 0, to: 14 }])).toBeNull()
})

test('joins texts with spaces, except in scripts without them', () => {
  expect(joinTexts([' Hello.', '', ' And you? '])).toBe('Hello. And you?')
  expect(joinTexts(['你好。', '我很好。'])).toBe('你好。我很好。')
  expect(joinTexts(['東京は', 'Tokyo です'])).toBe('東京は Tokyo です')
})
