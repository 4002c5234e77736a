// Word times after a correction by the user.

import { expect, test } from 'bun:test'
import { withCorrectedText } from '../../src/captures/correct-segment.ts'
import type { Segment, Word } from '../../src/engine/engine.ts'
import { testAtLength } from '../support/at-length.ts'

/** Words of 100 ms each, with a pause of 20 ms between them. */
const spoken = (...words: string[]): Segment => ({
  startMs: 0,
  endMs: words.length * 120,
  text: words.join(' '),
  avgLogprob: -0.2,
  noSpeechProb: 0.01,
  words: words.map((word, index) => ({
    word,
    startMs: index * 120,
    endMs: index * 120 + 100,
    probability: 0.9,
  })),
})
const timesOf = ({ words }: Segment) => words.map(({ word, startMs, endMs }) => [word, startMs, endMs])

test('replaces a wrong word in place and leaves the others unchanged', async () => {
  const before = spoken('meet', 'me', 'on', 'munday', 'morning')
  const after = await withCorrectedText(before, 'meet me on Monday morning')
  expect(timesOf(after)).toEqual([
    ['meet', 0, 100],
    ['me', 120, 220],
    ['on', 240, 340],
    ['Monday', 360, 460],
    ['morning', 480, 580],
  ])
  expect(after.words.map(({ probability }) => probability)).toEqual([0.9, 0.9, 0.9, null, 0.9])
  expect(after.words[0]).toBe(before.words[0]!)
  expect(after).toMatchObject({ text: 'meet me on Monday morning', startMs: 0, endMs: before.endMs })
})

test('splits the time of a word that becomes two, and joins the times of two that become one', async () => {
  expect(timesOf(await withCorrectedText(spoken('a', 'goodbye', 'b'), 'a good bye b'))).toEqual([
    ['a', 0, 100],
    ['good', 120, 177],
    ['bye', 177, 220],
    ['b', 240, 340],
  ])
  expect(timesOf(await withCorrectedText(spoken('a', 'good', 'bye', 'b'), 'a goodbye b'))).toEqual([
    ['a', 0, 100],
    ['goodbye', 120, 340],
    ['b', 360, 460],
  ])
})

test('places an inserted word between its neighbours', async () => {
  const after = await withCorrectedText(spoken('not', 'said'), 'not ever said')
  expect(timesOf(after)).toEqual([
    ['not', 0, 100],
    ['ever', 100, 120],
    ['said', 120, 220],
  ])
})

test('removes hallucinated words', async () => {
  expect(timesOf(await withCorrectedText(spoken('well', 'um', 'yes'), 'well yes'))).toEqual([
    ['well', 0, 100],
    ['yes', 240, 340],
  ])
  expect(await withCorrectedText(spoken('Thank', 'you.'), '')).toMatchObject({ text: '', words: [] })
})

test('keeps all times when only punctuation or capitals change', async () => {
  expect(timesOf(await withCorrectedText(spoken('hello', 'world'), 'Hello, World!'))).toEqual([
    ['Hello,', 0, 100],
    ['World!', 120, 220],
  ])
})

test('keeps the times of unchanged text in scripts without spaces', async () => {
  const after = await withCorrectedText(spoken('今日', 'は', '雨', 'です'), '今日は晴れです。')
  expect(timesOf(after)).toEqual([
    ['今日', 0, 100],
    ['は', 120, 220],
    ['晴れ', 240, 340],
    ['です。', 360, 460],
  ])
  const thai = await withCorrectedText(spoken('สวัสดี', 'ครับ'), 'สวัสดีค่ะ')
  expect(timesOf(thai).map(([word]) => word)).toEqual(['สวัสดี', 'ค่ะ'])
})

test('gives an unrelated text the whole time of the segment', async () => {
  const words = timesOf(await withCorrectedText(spoken('aaa', 'bbb'), 'xxxx yyyy'))
  expect(words).toEqual([
    ['xxxx', 0, 110],
    ['yyyy', 110, 220],
  ])
})

test('keeps times in order and inside the segment for any text', async () => {
  const letters = ['a', 'b', ' ', 'é', '猫', '👍🏽', ',', '\n', 'ก', '"']
  let seed = 1
  const random = (below: number) => {
    seed = (seed * 48_271) % 2_147_483_647
    return seed % below
  }
  const text = (length: number) => Array.from({ length }, () => letters[random(letters.length)]!).join('')
  for (let round = 0; round < 2000; round++) {
    const recognised = text(random(30)).split(/\s+/).filter(Boolean)
    if (recognised.length === 0) continue
    const typed = text(random(30)).trim()
    const { words, endMs, text: now } = await withCorrectedText(spoken(...recognised), typed)
    expect(now).toBe(typed)
    expect(
      words
        .map(({ word }) => word)
        .join('')
        .replace(/\s/g, ''),
    ).toBe(typed.replace(/\s/g, ''))
    const times = words.flatMap((word: Word) => [word.startMs, word.endMs])
    expect(
      times.toSorted((one, other) => one - other),
      `${recognised} → ${typed}`,
    ).toEqual(times)
    for (const time of times) expect(time >= 0 && time <= endMs).toBe(true)
  }
})

testAtLength(
  'adds no words to a segment without words, and corrects a very long segment quickly',
  async () => {
    expect((await withCorrectedText({ ...spoken('a'), words: [] }, 'b')).words).toEqual([])
    const long = await withCorrectedText(
      spoken(...Array.from({ length: 5000 }, (_, i) => `w${i}`)),
      'x'.repeat(20_000),
    )
    expect(long.words).toHaveLength(1)
  },
)
