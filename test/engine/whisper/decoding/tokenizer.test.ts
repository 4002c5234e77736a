// Encodes and decodes with the vocabulary of the bundled model; the expected tokens are GPT-2's.

import { beforeAll, describe, expect, test } from 'bun:test'
import { bytesInMemory, readGgmlFile } from '../../../../src/engine/ggml-file.ts'
import { createTokenizer, type Tokenizer } from '../../../../src/engine/whisper/decoding/tokenizer.ts'
import fc from '../../../support/fast-check.ts'
import { bundledBytes } from '../../../support/ggml.ts'

let tokenizer: Tokenizer

beforeAll(async () => {
  const file = readGgmlFile(bytesInMemory(await bundledBytes()))
  if (!file.ok) throw new Error(file.failure.message)
  tokenizer = createTokenizer(file.value.vocabulary)
})

describe('encodes a text to the tokens of GPT-2', () => {
  test.each<[string, number[]]>([
    ['Hello world', [15496, 995]],
    [' Hello world', [18435, 995]],
    ['Hello, my dog is cute', [15496, 11, 616, 3290, 318, 13779]],
    ['The quick brown fox jumps over the lazy dog', [464, 2068, 7586, 21831, 18045, 625, 262, 16931, 3290]],
    ["I'm", [40, 1101]],
    ['1234567890', [10163, 2231, 30924, 3829]],
    ['', []],
    [' ', [220]],
  ])('%p', (text, ids) => {
    expect(tokenizer.encode(text)).toEqual(ids)
    expect(tokenizer.decode(ids)).toBe(text)
  })
})

test.each(['Grüße aus Zürich', '你好，世界', '😀👩‍👩‍👧', 'a\n\n  b\tc', 'naïve — “quotes”', 'x'.repeat(300)])(
  'decodes %p to the same text',
  (text) => {
    expect(tokenizer.decode(tokenizer.encode(text))).toBe(text)
  },
)

test('decodes any text to the same text', () => {
  const roundTrip = (text: string) => expect(tokenizer.decode(tokenizer.encode(text))).toBe(text)
  fc.assert(fc.property(fc.string({ unit: 'grapheme' }), roundTrip))
})

test('replaces half of a surrogate pair instead of failing', () => {
  expect(tokenizer.decode(tokenizer.encode('a\ud800'))).toBe('a\ufffd')
})

test('encodes a word of ten thousand characters', () => {
  const text = 'ab'.repeat(5000)
  expect(tokenizer.decode(tokenizer.encode(text))).toBe(text)
})

test('decodes special tokens and unknown ids to no text', () => {
  expect(tokenizer.decode([15496, 50_300, 99_999])).toBe('Hello')
})
