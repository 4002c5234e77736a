// Text that grows out of the messages of a live stream.
// The messages themselves are test/api/live.test.ts's.

import { expect, test } from 'bun:test'
import type { LiveMessage } from '../../src/http/transcribe/live/messages.ts'
import {
  beforeNextStream,
  joined,
  NO_WORDS,
  shownWords,
  textOfWords,
  wordsAfter,
} from '../../src/ui/record/live-words.ts'

const after = (messages: Partial<LiveMessage>[], words = NO_WORDS) =>
  messages.reduce((so, message) => wordsAfter(so, message as LiveMessage), words)

const confirmed = (utterance: number, text: string): Partial<LiveMessage> => ({
  type: 'confirmed',
  utterance,
  text,
})
const partial = (utterance: number, text: string): Partial<LiveMessage> => ({
  type: 'partial',
  utterance,
  text,
})
const final = (
  utterance: number,
  text: string,
  refined_text: string | null = null,
): Partial<LiveMessage> => ({
  type: 'final',
  utterance,
  text,
  refined_text,
})

test('confirmed words stay, and what may change stands behind them', () => {
  const words = after([
    partial(1, 'Ask'),
    confirmed(1, 'Ask not'),
    partial(1, ' what'),
    partial(1, ' what your'),
  ])
  expect(shownWords(words)).toEqual({ certain: 'Ask not', changing: ' what your' })
  expect(shownWords(after([confirmed(1, ' what your')], words))).toEqual({
    certain: 'Ask not what your',
    changing: '',
  })
})

test('a final takes the place of all that was told of its utterance, refined where it was', () => {
  const words = after([
    confirmed(1, 'ask knot'),
    final(1, 'Ask not.', 'Ask not!'),
    confirmed(2, 'What'),
    final(2, ''),
  ])
  expect(textOfWords(words)).toBe('Ask not!')
})

test('an utterance that is over late stays in its place', () => {
  expect(textOfWords(after([confirmed(2, 'Two'), final(1, 'One.')]))).toBe('One. Two')
})

test('a stream that broke off leaves its words, and dots', () => {
  const before = beforeNextStream(after([confirmed(1, 'And so'), partial(1, ' my')]))
  expect(textOfWords(after([final(1, 'Ask.')], before))).toBe('And so my … Ask.')
  expect(textOfWords(beforeNextStream(NO_WORDS))).toBe('…')
})

test('sentences of scripts without spaces get none between them', () => {
  expect(joined('こんにちは。', '元気ですか。')).toBe('こんにちは。元気ですか。')
  expect(joined('Ask not!', 'What?')).toBe('Ask not! What?')
})
