// What counts as a repetition, token by token.
// That it is taken out, and what becomes of the times, is transcribe-samples.test.ts's.

import { describe, expect, test } from 'bun:test'
import { countRepeated, type SpokenToken } from '../../../../src/engine/whisper/decoding/repeated-words.ts'

const VOCABULARY: string[] = []

const idOf = (text: string) => {
  if (!VOCABULARY.includes(text)) VOCABULARY.push(text)
  return VOCABULARY.indexOf(text)
}

/** Tokens by the seconds at which they are spoken. */
const spoken = (...tokens: [text: string, seconds: number][]): SpokenToken[] =>
  tokens.map(([text, seconds]) => ({ id: idOf(text), text, frame: Math.round(seconds * 100) }))

/** As it was heard: the first piece ends at 16.84 s, by its own account. */
const crayfish = spoken(
  [' lobster', 15.92],
  ['?', 16.24],
  [' When', 16.74],
  [' it', 16.94],
  [' is', 17.12],
  [' a', 17.38],
  [' cr', 17.5],
  ['ay', 17.58],
  ['fish', 17.7],
  ['.', 18],
)
const END_FRAME = 1684

const count = (after: SpokenToken[], before = crayfish) => countRepeated(before, END_FRAME, after)

const again = spoken(
  [' it', 16.96],
  [' is', 17.08],
  [' a', 17.38],
  [' cr', 17.5],
  ['ay', 17.54],
  ['fish', 17.7],
)

describe('a repetition', () => {
  test('is what begins like the late words at the places where they are spoken, with its marks', () => {
    expect(count([...again, ...spoken(['.', 18.22])])).toBe(7)
    expect(count([...again, ...spoken([',', 18.22], [' This', 18.6])])).toBe(7)
    expect(count([...again, ...spoken(['.', 18.2], [' "', 18.6], ['This', 18.6])])).toBe(7)
  })

  test('takes along the word before it that the end divided', () => {
    expect(count([...spoken([' And', 16.84]), ...again])).toBe(7)
    expect(count([...spoken([' Wh', 16.84], ['en', 16.86]), ...again])).toBe(8)
  })

  test('may begin with a capital', () => {
    expect(count([...spoken([' It', 16.96]), ...again.slice(1)])).toBe(6)
  })

  test('is none after a word of its own, that the first piece passed over', () => {
    const passedOver = crayfish.map((token) =>
      token.frame < 1690 ? { ...token, frame: token.frame - 100 } : token,
    )
    expect(count([...spoken([' And', 16.84]), ...again], passedOver)).toBe(0)
  })

  test('is none where two words stand before it', () => {
    expect(count([...spoken([' And', 16.84], [' now', 16.88]), ...again])).toBe(0)
  })

  test('is none with a word missing, or with another', () => {
    expect(count(again.slice(0, -1))).toBe(0)
    expect(count([...again.slice(0, 2), ...spoken([' the', 17.38]), ...again.slice(3)])).toBe(0)
  })

  test('is none where it goes on as another word', () => {
    expect(count([...again, ...spoken(['es', 17.8])])).toBe(0)
  })

  test('is none at another place: that was said twice', () => {
    expect(count(again.map((token) => ({ ...token, frame: token.frame + 140 })))).toBe(0)
  })

  test('is none of words within the time of their piece', () => {
    const inTime = crayfish.map((token) => ({ ...token, frame: token.frame - 140 }))
    expect(count(again, inTime)).toBe(0)
  })

  test('is none of the end of a word', () => {
    expect(count(spoken([' Fish', 17.7]), spoken([' cr', 16.7], ['fish', 17.7]))).toBe(0)
  })

  test('may begin with a quotation mark', () => {
    const quoted = spoken([' "', 17], ['Come', 17.1], [' here', 17.5])
    expect(count(quoted, [...spoken([' said', 16.4]), ...quoted])).toBe(3)
  })

  test('is none of a mark alone that stands after the end', () => {
    const before = spoken([' he', 16], [' said', 16.4], [' "', 17])
    expect(count(spoken([' Come', 17.2], [' here', 17.5]), before)).toBe(0)
  })

  test('is none of nothing', () => {
    expect(count([])).toBe(0)
    expect(count(again, [])).toBe(0)
  })

  test('needs the same halves of a character', () => {
    const half = (id: number): SpokenToken => ({ id, text: '\uFFFD', frame: 1720 })
    const before = [...spoken([' Стра', 17]), half(900)]
    expect(count(before, before)).toBe(2)
    expect(count([...spoken([' Стра', 17]), half(901)], before)).toBe(0)
  })
})
