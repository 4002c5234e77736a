// What counts as a repetition, token by token.

import { describe, expect, test } from 'bun:test'
import { countRepeated, type SpokenToken } from '../../../../src/engine/whisper/decoding/repeated-words.ts'

const VOCABULARY: string[] = []

const idOf = (text: string) => {
  if (!VOCABULARY.includes(text)) VOCABULARY.push(text)
  return VOCABULARY.indexOf(text)
}

/** Tokens with the seconds at which they are spoken. */
const spoken = (...tokens: [text: string, seconds: number][]): SpokenToken[] =>
  tokens.map(([text, seconds]) => ({ id: idOf(text), text, frame: Math.round(seconds * 100) }))

/** From a real recording: the first piece ends at 16.84 s by its own timestamp. */
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
  test('is the beginning that equals the late words at the same times, with punctuation', () => {
    expect(count([...again, ...spoken(['.', 18.22])])).toBe(7)
    expect(count([...again, ...spoken([',', 18.22], [' This', 18.6])])).toBe(7)
    expect(count([...again, ...spoken(['.', 18.2], [' "', 18.6], ['This', 18.6])])).toBe(7)
  })

  test('includes the word before it that the end time cut', () => {
    expect(count([...spoken([' And', 16.84]), ...again])).toBe(7)
    expect(count([...spoken([' Wh', 16.84], ['en', 16.86]), ...again])).toBe(8)
  })

  test('may begin with a capital letter', () => {
    expect(count([...spoken([' It', 16.96]), ...again.slice(1)])).toBe(6)
  })

  test('is not recognised after a word that the first piece missed', () => {
    const passedOver = crayfish.map((token) =>
      token.frame < 1690 ? { ...token, frame: token.frame - 100 } : token,
    )
    expect(count([...spoken([' And', 16.84]), ...again], passedOver)).toBe(0)
  })

  test('is not recognised after two other words', () => {
    expect(count([...spoken([' And', 16.84], [' now', 16.88]), ...again])).toBe(0)
  })

  test('is not recognised with a missing or different word', () => {
    expect(count(again.slice(0, -1))).toBe(0)
    expect(count([...again.slice(0, 2), ...spoken([' the', 17.38]), ...again.slice(3)])).toBe(0)
  })

  test('is not recognised if its last word is longer', () => {
    expect(count([...again, ...spoken(['es', 17.8])])).toBe(0)
  })

  test('is not recognised at another time: those words were spoken twice', () => {
    expect(count(again.map((token) => ({ ...token, frame: token.frame + 140 })))).toBe(0)
  })

  test('does not include words before the end of their piece', () => {
    const inTime = crayfish.map((token) => ({ ...token, frame: token.frame - 140 }))
    expect(count(again, inTime)).toBe(0)
  })

  test('is not recognised within a word', () => {
    expect(count(spoken([' Fish', 17.7]), spoken([' cr', 16.7], ['fish', 17.7]))).toBe(0)
  })

  test('may begin with a quotation mark', () => {
    const quoted = spoken([' "', 17], ['Come', 17.1], [' here', 17.5])
    expect(count(quoted, [...spoken([' said', 16.4]), ...quoted])).toBe(3)
  })

  test('is not recognised for a lone punctuation mark after the end', () => {
    const before = spoken([' he', 16], [' said', 16.4], [' "', 17])
    expect(count(spoken([' Come', 17.2], [' here', 17.5]), before)).toBe(0)
  })

  test('is not recognised without tokens', () => {
    expect(count([])).toBe(0)
    expect(count(again, [])).toBe(0)
  })

  test('requires equal partial characters', () => {
    const half = (id: number): SpokenToken => ({ id, text: '\uFFFD', frame: 1720 })
    const before = [...spoken([' Стра', 17]), half(900)]
    expect(count(before, before)).toBe(2)
    expect(count([...spoken([' Стра', 17]), half(901)], before)).toBe(0)
  })
})
