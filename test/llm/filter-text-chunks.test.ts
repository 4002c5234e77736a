import { expect, test } from 'bun:test'
import { cutIntoChunks, joinChunks } from '../../src/llm/filter-text.ts'
import fc from '../support/fast-check.ts'

test('a short text is one chunk; the white space around it is separate', () => {
  expect(cutIntoChunks('  Hello there.\n', 100)).toEqual({
    chunks: [{ before: '  ', text: 'Hello there.' }],
    after: '\n',
  })
  expect(cutIntoChunks('', 100)).toEqual({ chunks: [], after: '' })
  expect(cutIntoChunks(' \n ', 100)).toEqual({ chunks: [], after: ' \n ' })
})

test('keeps paragraphs whole if they fit, else sentences', () => {
  const text = 'One two three. Four five six.\n\nSeven eight nine.'
  expect(cutIntoChunks(text, 32).chunks.map((chunk) => chunk.text)).toEqual([
    'One two three. Four five six.',
    'Seven eight nine.',
  ])
  expect(cutIntoChunks(text, 20).chunks.map((chunk) => chunk.text)).toEqual([
    'One two three.',
    'Four five six.',
    'Seven eight nine.',
  ])
})

test('cuts text in a script without spaces', () => {
  const { chunks } = cutIntoChunks('明日は会議があります。その後で昼食です。'.repeat(20), 50)
  expect(chunks.every(({ text }) => text.length <= 50 && text.endsWith('。'))).toBe(true)
})

test('joinChunks restores the text, and no chunk exceeds the limit', () => {
  const part = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.constantFrom(' ', '\n\n', '. ', 'word', '。', 'x'.repeat(90)),
  )
  const texts = fc.array(part, { maxLength: 40 }).map((parts) => parts.join(''))
  fc.assert(
    fc.property(texts, (text) => {
      const cut = cutIntoChunks(text, 40)
      expect(joinChunks(cut)).toBe(text)
      expect(cut.chunks.every((chunk) => chunk.text.length <= 40 && chunk.text.trim() === chunk.text)).toBe(
        true,
      )
      expect(cut.chunks.every((chunk) => chunk.text !== '')).toBe(true)
    }),
  )
})
