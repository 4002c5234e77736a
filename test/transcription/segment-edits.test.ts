import { expect, test } from 'bun:test'
import { sliceWords, wordsIn } from '../../src/transcription/segment-edits.ts'
import { segment } from './spoken.ts'

const spoken = [segment('Good morning, everyone.', 0, 900), segment('The first point', 1000, 1900)]
const textsOf = (from: number, to: number) => sliceWords(spoken, from, to).map(({ text }) => text.trim())

test('counts words over all segments; a segment without words counts as one', () => {
  const withoutWords = { ...segment('la la', 900, 1000), words: [] }
  const words = wordsIn([spoken[0]!, withoutWords, spoken[1]!])
  expect(words.map(({ word }) => word.trim())).toEqual([
    'Good',
    'morning,',
    'everyone.',
    'la la',
    'The',
    'first',
    'point',
  ])
  expect(sliceWords([spoken[0]!, withoutWords], 3, 4)).toEqual([withoutWords])
})

test('a slice has its text, words and times', () => {
  expect(textsOf(0, 6)).toEqual(['Good morning, everyone.', 'The first point'])
  expect(textsOf(1, 4)).toEqual(['morning, everyone.', 'The'])
  expect(textsOf(4, 5)).toEqual(['first'])
  expect(textsOf(2, 2)).toEqual([])
  const [part] = sliceWords(spoken, 1, 2)
  expect(part).toMatchObject({ startMs: 300, endMs: 600, text: 'morning,' })
  expect(part!.words.map(({ word }) => word)).toEqual(['morning,'])
})

test('a slice whose words are not in the text uses its words as text', () => {
  const [part] = sliceWords([{ ...spoken[0]!, text: 'something else' }], 1, 2)
  expect(part!.text).toBe('morning,')
})
