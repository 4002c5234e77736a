import { expect, test } from 'bun:test'
import type { LiveMessage } from '../../../src/http/transcribe/live/messages.ts'
import {
  beforeNextStream,
  joined,
  NO_WORDS,
  shownWords,
  textOfWords,
  wordsAfter,
} from '../../../src/ui/record/live-words.ts'

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

test('confirmed words stay, followed by those that may change', () => {
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

test('a final replaces all text of its utterance, refined if it was', () => {
  const words = after([
    confirmed(1, 'ask knot'),
    final(1, 'Ask not.', 'Ask not!'),
    confirmed(2, 'What'),
    final(2, ''),
  ])
  expect(textOfWords(words)).toBe('Ask not!')
})

test('an utterance that ends late keeps its place', () => {
  expect(textOfWords(after([confirmed(2, 'Two'), final(1, 'One.')]))).toBe('One. Two')
})

test('an interrupted stream leaves its words and an ellipsis', () => {
  const before = beforeNextStream(after([confirmed(1, 'And so'), partial(1, ' my')]))
  expect(textOfWords(after([final(1, 'Ask.')], before))).toBe('And so my … Ask.')
  expect(textOfWords(beforeNextStream(NO_WORDS))).toBe('…')
})

test('sentences of scripts without spaces are joined without spaces', () => {
  expect(joined('こんにちは。', '元気ですか。')).toBe('こんにちは。元気ですか。')
  expect(joined('Ask not!', 'What?')).toBe('Ask not! What?')
})
