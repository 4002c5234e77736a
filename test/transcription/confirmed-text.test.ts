import { expect, test } from 'bun:test'
import { createConfirmedText } from '../../src/transcription/confirmed-text.ts'
import { segment } from './spoken.ts'

test('pieces put together are the text, with spaces where the script wants them', () => {
  for (const pieces of [
    ['And so', 'my fellow', 'Americans.', 'Ask not'],
    ['今日は', '天気が', 'いいです。', 'OK then'],
  ]) {
    const confirmed = createConfirmedText()
    const given = pieces.map((text, index) =>
      confirmed.add([segment(text, index * 1000, index * 1000 + 900)], { goesOn: true }),
    )
    const texts = given.map((piece) => piece!.text)
    const expected =
      pieces[0] === 'And so' ? 'And so my fellow Americans. Ask not' : '今日は天気がいいです。 OK then'
    expect(texts.join('')).toBe(expected)
  }
})

test('a sentence that comes in pieces is one segment, up to its end', () => {
  const confirmed = createConfirmedText()
  confirmed.add([segment('And so', 0, 400)], { goesOn: false })
  confirmed.add([segment('my fellow.', 400, 900), segment('Ask', 1000, 1200)], { goesOn: true })
  confirmed.add([segment('not', 1200, 1500)], { goesOn: true })
  confirmed.add([segment('what', 1500, 1700)], { goesOn: false })
  const segments = confirmed.segments()
  expect(segments.map(({ text }) => text.trim())).toEqual(['And so my fellow.', 'Ask not', 'what'])
  expect(segments.map(({ startMs, endMs }) => [startMs, endMs])).toEqual([
    [0, 900],
    [1000, 1500],
    [1500, 1700],
  ])
  expect(segments[0]!.words.map(({ word }) => word)).toEqual(['And', 'so', 'my', 'fellow.'])
})

test('nothing begins before the end of what came first', () => {
  const confirmed = createConfirmedText()
  confirmed.add([segment('one two', 0, 1000)], { goesOn: false })
  const piece = confirmed.add([segment('three four', 800, 1600)], { goesOn: false })
  expect(piece!.words.map(({ startMs, endMs }) => [startMs, endMs])).toEqual([
    [1000, 1200],
    [1200, 1600],
  ])
  expect(confirmed.wordsAfter(1100).map(({ word }) => word)).toEqual(['four'])
})

test('a phrase said three times stays, and what makes a loop of it is left out', () => {
  const confirmed = createConfirmedText()
  const again = (round: number) =>
    confirmed.add([segment('and then we go', round * 1000, round * 1000 + 900)], { goesOn: true })
  expect([0, 1, 2].map((round) => again(round) !== null)).toEqual([true, true, true])
  expect([3, 4, 5].map((round) => again(round))).toEqual([null, null, null])
  expect(confirmed.add([segment('home.', 6000, 6500)], { goesOn: true })!.text).toBe(' home.')
})

test('nothing is nothing', () => {
  const confirmed = createConfirmedText()
  expect(confirmed.add([], { goesOn: false })).toBeNull()
  expect([confirmed.segments(), confirmed.endMs(), confirmed.wordsAfter(0)]).toEqual([[], 0, []])
})
