import { describe, expect, test } from 'bun:test'
import type { Word } from '../../src/engine/engine.ts'
import { countAgreed, countSettled, findConfirmed } from '../../src/transcription/local-agreement.ts'
import { segment } from './spoken.ts'

/** A word each 300 ms. */
const words = (text: string, startMs = 0) =>
  text === '' ? [] : segment(text, startMs, startMs + 300 * text.split(' ').length).words

describe('two hearings agree', () => {
  const cases: [string, string, string, number][] = [
    ['on the words they begin with', 'and so my fellow', 'and so my friend Eric', 3],
    ['whatever the case and the punctuation', 'And so, my fellow', 'and so my Fellow Americans', 4],
    ['on letters that are written in two ways', 'café au lait', 'café au lait', 3],
    ['on nothing where the first words differ', 'the quick fox', 'a quick fox', 0],
    ['on nothing with an empty hearing', '', 'the quick fox', 0],
    ['on a number only where all its digits are the same', 'at 6:15 from', 'at 6:50 from', 1],
    ['past a bare dash, which goes with the word before', 'ask not', 'ask – not now', 3],
    ['on no bare dash alone', '– ask', '– tell', 0],
    ['on words of other scripts', 'Привет, мир и', 'привет мир и все', 3],
    ['on a word with another ending not at all', 'restart the', 'restarted the', 0],
  ]
  for (const [title, previous, current, agreed] of cases) {
    test(title, () => expect(countAgreed(words(previous), words(current))).toBe(agreed))
  }
})

describe('words stand for good', () => {
  /** A word each 300 ms, from the beginning. */
  const heard = (text: string, doubted: string[] = []): Word[] =>
    words(text).map((word) => ({ ...word, probability: doubted.includes(word.word.trim()) ? 0.5 : 0.9 }))

  test('that two hearings agree on', () =>
    expect(countSettled(heard('we meet in'), heard('we meet in Madrid'), 1200)).toBe(3))

  test('but for one that the model doubts, and all that follow it', () => {
    const doubted = heard('we meet in Madrid', ['in'])
    expect(countSettled(doubted, doubted, 1200)).toBe(2)
  })

  test('with what the model doubts where three seconds more have been said', () => {
    const doubted = heard('we meet in Madrid', ['in'])
    expect(countSettled(doubted, doubted, 3899)).toBe(2)
    expect(countSettled(doubted, doubted, 3900)).toBe(4)
  })

  test('never what one of the hearings has otherwise, however much has been said', () =>
    expect(countSettled(heard('we meet at'), heard('we meet in'), 60_000)).toBe(2))

  test('by their agreement alone where a model tells no probabilities', () => {
    const untold = words('we meet').map((word): Word => ({ ...word, probability: null }))
    expect(countSettled(untold, untold, 600)).toBe(2)
  })
})

describe('the confirmed words are found in a hearing', () => {
  const found = (confirmed: string, heard: string, startMs = 0) =>
    findConfirmed(words(heard, startMs), words(confirmed))

  test('where they are the same', () =>
    expect(found('and so my fellow', 'and so my fellow Americans ask')).toEqual({
      count: 4,
      contradicts: false,
    }))

  test('where none are confirmed', () =>
    expect(found('', 'and so my')).toEqual({ count: 0, contradicts: false }))

  test('where one of them was heard differently, left out or as two', () => {
    expect(found('he was not ill disposed', 'he was not old disposed young man').count).toBe(5)
    expect(found('he was not ill disposed', 'he was not disposed young man').count).toBe(4)
    expect(found('he was not ill-disposed', 'he was not ill disposed young man').count).toBe(5)
  })

  test('by their times where a word is said again and again', () =>
    expect(found('no no', 'no no no no no').count).toBe(2))

  test('by their times where the hearing has nothing of them', () => {
    expect(found('one two three four', 'five six seven', 1200)).toEqual({ count: 0, contradicts: true })
    expect(found('one two three four', 'wand too tree for five six')).toEqual({ count: 4, contradicts: true })
  })

  test('by their times where a word is only a little like the confirmed one', () =>
    expect(found('word199', 'word200 word201', 400)).toEqual({ count: 0, contradicts: false }))

  test('all of it, where the hearing is shorter', () =>
    expect(found('one two three four', 'one two three')).toEqual({ count: 3, contradicts: false }))

  test('with the word at the seam not doubled when it was heard a little later', () =>
    expect(found('turn on the light', 'turn on the light in the kitchen', 250).count).toBe(4))
})
