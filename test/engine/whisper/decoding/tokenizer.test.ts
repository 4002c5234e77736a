// Text to tokens and back with the vocabulary of the bundled model, against what GPT-2 is known to make of it.

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

describe('a text has the tokens that GPT-2 gives it', () => {
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
  'nothing of %p is lost on the way there and back',
  (text) => {
    expect(tokenizer.decode(tokenizer.encode(text))).toBe(text)
  },
)

test('nothing of any text is lost on the way there and back', () => {
  const roundTrip = (text: string) => expect(tokenizer.decode(tokenizer.encode(text))).toBe(text)
  fc.assert(fc.property(fc.string({ unit: 'grapheme' }), roundTrip))
})

test('half of a surrogate pair becomes a replacement character instead of an error', () => {
  expect(tokenizer.decode(tokenizer.encode('a\ud800'))).toBe('a\ufffd')
})

test('a word of ten thousand letters is encoded too', () => {
  const text = 'ab'.repeat(5000)
  expect(tokenizer.decode(tokenizer.encode(text))).toBe(text)
})

test('marks and ids that are not there are no text', () => {
  expect(tokenizer.decode([15496, 50_300, 99_999])).toBe('Hello')
})
