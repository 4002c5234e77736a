import { describe, expect, test } from 'bun:test'
import type { Word } from '../../../src/engine/engine.ts'
import { countAgreed, countSettled, findConfirmed } from '../../../src/transcription/live/agreement.ts'
import { segment } from '../spoken.ts'

/** One word every 300 ms. */
const words = (text: string, startMs = 0) =>
  text === '' ? [] : segment(text, startMs, startMs + 300 * text.split(' ').length).words

describe('two previews agree', () => {
  const cases: [string, string, string, number][] = [
    ['on their common leading words', 'and so my fellow', 'and so my friend Eric', 3],
    ['regardless of case and punctuation', 'And so, my fellow', 'and so my Fellow Americans', 4],
    ['on characters in different Unicode forms', 'café au lait', 'café au lait', 3],
    ['on nothing if the first words differ', 'the quick fox', 'a quick fox', 0],
    ['on nothing with an empty preview', '', 'the quick fox', 0],
    ['on a number only if all its digits match', 'at 6:15 from', 'at 6:50 from', 1],
    ['past a bare dash, which belongs to the word before', 'ask not', 'ask – not now', 3],
    ['not on a bare dash alone', '– ask', '– tell', 0],
    ['on words of other scripts', 'Привет, мир и', 'привет мир и все', 3],
    ['not on a word with a different ending', 'restart the', 'restarted the', 0],
  ]
  for (const [title, previous, current, agreed] of cases) {
    test(title, () => expect(countAgreed(words(previous), words(current))).toBe(agreed))
  }
})

describe('words are settled', () => {
  /** One word every 300 ms, from 0 on. */
  const recognised = (text: string, doubted: string[] = []): Word[] =>
    words(text).map((word) => ({ ...word, probability: doubted.includes(word.word.trim()) ? 0.5 : 0.9 }))

  test('if two previews agree on them', () =>
    expect(countSettled(recognised('we meet in'), recognised('we meet in Madrid'), 1200)).toBe(3))

  test('up to the first word of low probability', () => {
    const doubted = recognised('we meet in Madrid', ['in'])
    expect(countSettled(doubted, doubted, 1200)).toBe(2)
  })

  test('despite low probability after three more seconds of speech', () => {
    const doubted = recognised('we meet in Madrid', ['in'])
    expect(countSettled(doubted, doubted, 3899)).toBe(2)
    expect(countSettled(doubted, doubted, 3900)).toBe(4)
  })

  test('never if the previews differ, however much speech follows', () =>
    expect(countSettled(recognised('we meet at'), recognised('we meet in'), 60_000)).toBe(2))

  test('by agreement alone if the model reports no probabilities', () => {
    const unscored = words('we meet').map((word): Word => ({ ...word, probability: null }))
    expect(countSettled(unscored, unscored, 600)).toBe(2)
  })
})

describe('finds the confirmed words in a preview', () => {
  const found = (confirmed: string, preview: string, startMs = 0) =>
    findConfirmed(words(preview, startMs), words(confirmed))

  test('if they are the same', () =>
    expect(found('and so my fellow', 'and so my fellow Americans ask')).toEqual({
      count: 4,
      contradicts: false,
    }))

  test('if none are confirmed', () =>
    expect(found('', 'and so my')).toEqual({ count: 0, contradicts: false }))

  test('if one of them differs, is missing or split in two', () => {
    expect(found('he was not ill disposed', 'he was not old disposed young man').count).toBe(5)
    expect(found('he was not ill disposed', 'he was not disposed young man').count).toBe(4)
    expect(found('he was not ill-disposed', 'he was not ill disposed young man').count).toBe(5)
  })

  test('by their times if a word is repeated', () => expect(found('no no', 'no no no no no').count).toBe(2))

  test('by their times if the preview has none of them', () => {
    expect(found('one two three four', 'five six seven', 1200)).toEqual({ count: 0, contradicts: true })
    expect(found('one two three four', 'wand too tree for five six')).toEqual({ count: 4, contradicts: true })
  })

  test('by their times if a word is only slightly similar', () =>
    expect(found('word199', 'word200 word201', 400)).toEqual({ count: 0, contradicts: false }))

  test('if the preview is shorter', () =>
    expect(found('one two three four', 'one two three')).toEqual({ count: 3, contradicts: false }))

  test('without a duplicate at the seam if a word has a slightly later time', () =>
    expect(found('turn on the light', 'turn on the light in the kitchen', 250).count).toBe(4))
})
