import { expect, test } from 'bun:test'
import { createConfirmedText } from '../../../src/transcription/live/agreement.ts'
import { segment } from '../spoken.ts'

test('concatenated pieces are the text, with spaces as the script requires', () => {
  for (const pieces of [
    ['And so', 'my fellow', 'Americans.', 'Ask not'],
    ['今日は', '天気が', 'いいです。', 'OK then'],
  ]) {
    const confirmed = createConfirmedText()
    const given = pieces.map((text, index) =>
      confirmed.add([segment(text, index * 1000, index * 1000 + 900)]),
    )
    const texts = given.map((piece) => piece!.text)
    const expected =
      pieces[0] === 'And so' ? 'And so my fellow Americans. Ask not' : '今日は天気がいいです。 OK then'
    expect(texts.join('')).toBe(expected)
  }
})

test('no piece begins before the previous one ends', () => {
  const confirmed = createConfirmedText()
  confirmed.add([segment('one two', 0, 1000)])
  const piece = confirmed.add([segment('three four', 800, 1600)])
  expect([piece!.startMs, piece!.endMs]).toEqual([1000, 1600])
  expect(confirmed.wordsAfter(900).map(({ startMs, endMs }) => [startMs, endMs])).toEqual([
    [1000, 1200],
    [1200, 1600],
  ])
  expect(confirmed.wordsAfter(1100).map(({ word }) => word)).toEqual(['four'])
})

test('keeps a phrase repeated three times and drops further repeats', () => {
  const confirmed = createConfirmedText()
  const again = (round: number) =>
    confirmed.add([segment('and then we go', round * 1000, round * 1000 + 900)])
  expect([0, 1, 2].map((round) => again(round) !== null)).toEqual([true, true, true])
  expect([3, 4, 5].map((round) => again(round))).toEqual([null, null, null])
  expect(confirmed.add([segment('home.', 6000, 6500)])!.text).toBe(' home.')
})

test('drops words older than a minute', () => {
  const confirmed = createConfirmedText()
  for (let minute = 0; minute < 60; minute++) {
    confirmed.add([segment(`minute ${minute}`, minute * 60_000, minute * 60_000 + 1000)])
  }
  const words = confirmed.wordsAfter(0).map(({ word }) => word)
  expect(words.length).toBeLessThanOrEqual(4)
  expect(words.at(-1)).toBe('59')
})

test('adding no segments returns null', () => {
  const confirmed = createConfirmedText()
  expect(confirmed.add([])).toBeNull()
  expect([confirmed.endMs(), confirmed.wordsAfter(0)]).toEqual([0, []])
})
