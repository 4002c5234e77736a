import { describe, expect, test } from 'bun:test'
import { correctedSegments, replacedWords } from '../../../src/ui/capture/always-write.ts'

describe('the words that a correction replaced', () => {
  test.each([
    ['send the build on for ID. Please', 'send the build on Friday. Please', 'for ID', 'Friday'],
    ['Dear Maria,', 'Dear Marta,', 'Maria', 'Marta'],
    ['use cooper netties', 'use Kubernetes', 'cooper netties', 'Kubernetes'],
  ])('%s → %s', (before, after, word, replacement) => {
    expect(replacedWords(before, after)).toEqual({ word, replacement })
  })

  test.each([
    ['only punctuation', 'Well, yes.', 'Well yes'],
    ['an added word', 'go home', 'go straight home'],
    ['a removed word', 'go um home', 'go home'],
    ['a rewritten sentence', 'one two three four five', 'six seven eight nine ten'],
  ])('are not offered for %s', (_what, before, after) => {
    expect(replacedWords(before, after)).toBeNull()
  })
})

test('a replacement changes whole words only, whatever characters it has', () => {
  const segments = [
    { id: 0, text: 'C++ and C++11, see C++.' },
    { id: 1, text: 'nothing here' },
  ]
  expect(correctedSegments(segments, { word: 'C++', replacement: '$&' })).toEqual([
    { id: 0, before: segments[0]!.text, after: '$& and C++11, see $&.' },
  ])
})
