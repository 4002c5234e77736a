import { expect, test } from 'bun:test'
import { createLanguageVote } from '../../src/transcription/spoken-languages.ts'
import { onRecordingClock, recordingMs } from '../../src/transcription/windows.ts'
import { placeWords } from '../../src/transcription/word-times.ts'
import fc from '../support/fast-check.ts'
import { segment, span } from './spoken.ts'

const startsOf = (segments: { words: { word: string; startMs: number }[] }[]) =>
  segments.flatMap(({ words }) => words.map(({ word, startMs }) => `${word} ${startMs}`))

test('the first word after a pause begins where speech resumes', () => {
  const placed = placeWords(
    [segment('Good morning.', 0, 2300), segment('We begin now.', 2300, 4000)],
    [span(0.5, 1.5), span(2.6, 4)],
  )
  expect(startsOf(placed)).toEqual(['Good 420', 'morning. 1150', 'We 2520', 'begin 2867', 'now. 3433'])
  expect(placed.map(({ startMs, endMs }) => [startMs, endMs])).toEqual([
    [420, 1500],
    [2520, 4000],
  ])
})

test('moves a sentence that the engine placed a second too early after the pause', () => {
  const placed = placeWords(
    [segment('We need forty-five copies.', 0, 2000), segment('There is a new message.', 2000, 4000)],
    [span(0.1, 2.7), span(3.4, 5.2)],
  )
  expect(placed[1]!.startMs).toBe(3320)
})

test('words stay in order, disjoint and inside the speech, whatever times the engine reports', () => {
  const anyWords = fc
    .array(fc.tuple(fc.integer({ min: 0, max: 30_000 }), fc.integer({ min: 0, max: 2000 })), {
      minLength: 1,
      maxLength: 30,
    })
    .map((times) => {
      const text = times.map((_, index) => (index % 5 === 4 ? 'end.' : 'word')).join(' ')
      const whole = segment(text, 0, 1000)
      whole.words = whole.words.map((word, index) => {
        const [startMs, lengthMs] = times[index]!
        return { ...word, startMs, endMs: startMs + lengthMs }
      })
      return [whole]
    })
  const anySpans = fc
    .array(
      fc.tuple(fc.double({ min: 0.2, max: 4, noNaN: true }), fc.double({ min: 0.2, max: 8, noNaN: true })),
      {
        minLength: 1,
        maxLength: 8,
      },
    )
    .map((parts) => {
      let at = 0
      return parts.map(([pause, speech]) => {
        const from = at + pause
        at = from + speech
        return span(from, at)
      })
    })
  fc.assert(
    fc.property(anyWords, anySpans, (segments, spans) => {
      const words = placeWords(segments, spans).flatMap((placed) => placed.words)
      expect(words.length).toBe(segments[0]!.words.length)
      for (const [index, word] of words.entries()) {
        expect(word.endMs).toBeGreaterThanOrEqual(word.startMs)
        if (index > 0) expect(word.startMs).toBeGreaterThanOrEqual(words[index - 1]!.endMs)
        const inside = spans.some(
          ({ speechFromSample, speechToSample }) =>
            word.startMs >= speechFromSample / 16 - 81 && word.endMs <= speechToSample / 16 + 1,
        )
        expect(inside).toBe(true)
      }
    }),
  )
})

test('segments without words keep their times', () => {
  const plain = { ...segment('Hello there.', 0, 900), words: [] }
  expect(placeWords([plain], [span(0.5, 1.5)])).toEqual([plain])
})

test('converts times of a window to times of the recording, including skipped silence', () => {
  const ranges = [
    { fromSample: 16_000, toSample: 32_000 },
    { fromSample: 160_000, toSample: 176_000 },
  ]
  expect(recordingMs(ranges, 0, 'start')).toBe(1000)
  expect(recordingMs(ranges, 1000, 'end')).toBe(2000)
  expect(recordingMs(ranges, 1000, 'start')).toBe(10_000)
  expect(recordingMs(ranges, 1500, 'start')).toBe(10_500)
  expect(recordingMs(ranges, 9999, 'end')).toBe(11_000)
  const { startMs, endMs, words } = onRecordingClock(ranges, segment('one two', 500, 1500))
  expect([startMs, endMs]).toEqual([1500, 10_500])
  expect(words.map((word) => [word.startMs, word.endMs])).toEqual([
    [1500, 2000],
    [10_000, 10_500],
  ])
})

test('the language is the one with the most speech, and is fixed after ten seconds', () => {
  const vote = createLanguageVote(null)
  expect(vote.result()).toEqual({ language: null, languageProbability: null })
  vote.add({ language: 'nl', languageProbability: 0.4, speechMs: 3000 })
  expect(vote.next()).toBeNull()
  vote.add({ language: 'de', languageProbability: 0.9, speechMs: 20_000 })
  expect(vote.next()).toBe('de')
  vote.add({ language: 'de', languageProbability: null, speechMs: 28_000 })
  expect(vote.result()).toEqual({ language: 'de', languageProbability: 0.9 })
})

test('uses a requested language from the start', () => {
  expect(createLanguageVote('fr').next()).toBe('fr')
})
