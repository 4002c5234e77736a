import { expect, test } from 'bun:test'
import { numberWords, plainNumberWords } from '../../../src/text/numbers/number-words.ts'
import { SPELLED } from './pairs.ts'

for (const code of ['de', 'en', 'es', 'fr', 'it', 'nl', 'pt']) {
  test(`recognises all single-word numbers in ${code}, except one`, () => {
    const isNumber = numberWords(code, { more: [] })
    const words = SPELLED[code]!.filter(([value]) => value <= 1000)
      .map(([, word]) => word)
      .filter((word) => !word.includes(' '))
    expect(words.filter((word) => !isNumber(word))).toEqual([words[1]!])
    expect(isNumber(words[1]!)).toBe(false)
  })
}

test('rejects words that contain a number word', () => {
  expect(numberWords('it', { more: [] })('diciamo')).toBe(false)
  expect(numberWords('de', { more: [] })('jahrhundert')).toBe(false)
  expect(numberWords('en', { more: [] })('often')).toBe(false)
})

test('recognises ordinals and extra words if requested', () => {
  expect(['second', 'half', 'and'].map(numberWords('en', { more: [] }))).toEqual([false, false, false])
  const isNumber = numberWords('en', { more: ['half'], ordinals: true })
  expect(['second', 'half', 'and'].map(isNumber)).toEqual([true, true, false])
})

test('returns the values of unambiguous number words', () => {
  const french = plainNumberWords('fr')
  expect([french.get('soixante'), french.get('septante'), french.get('cent')]).toEqual([60, 70, 100])
  expect([french.get('un'), french.get('cents'), french.get('zero')]).toEqual([
    undefined,
    undefined,
    undefined,
  ])
})
