import { expect, test } from 'bun:test'
import { cutRanges, findCaptions } from '../../src/text/sound-captions.ts'

const stripCaptions = (text: string) => cutRanges(text, findCaptions(text))

test.each([
  '[BLANK_AUDIO]',
  ' [ Silence ]',
  '(dramatic music)',
  ' *sighs*',
  '♪',
  '♪♪',
  '♪ Happy birthday to you ♪',
  '[MUSIC PLAYING]',
  '(barking) (barking)',
  '[Music] [Applause].',
  '- (dog barks)',
  '(whatever stands here)',
  '（音乐）',
  '【拍手】',
  '...',
])('removes a text of only captions: %s', (text) => {
  expect(stripCaptions(text)).toBe('')
})

test.each([
  ['[MUSIC] Hello there.', ' Hello there.'],
  ['Hello (laughs), how are you?', 'Hello, how are you?'],
  ['So *sighs* that is it.', 'So that is it.'],
  ['Hello. ♪ la la la ♪ Goodbye.', 'Hello. Goodbye.'],
  ['And then [inaudible].', 'And then.'],
])('removes captions within speech: %s', (text, left) => {
  expect(stripCaptions(text)).toBe(left)
})

test.each([
  'We met in Berlin (the capital) on Monday.',
  'Take the item list[0] and args[i].',
  'Two * three * four is twenty-four.',
  'Call f(x) with a number.',
  'He said yes (and then no).',
  '',
])('keeps speech with brackets: %s', (text) => {
  expect(stripCaptions(text)).toBe(text)
})

test('handles a long run of symbols quickly', () => {
  const symbols = `${'♪.-'.repeat(5000)}x`
  expect(stripCaptions(`${'...'.repeat(5000)}x`)).toEndWith('x')
  expect(stripCaptions(`${'[('.repeat(5000)}x`)).toEndWith('x')
  expect(typeof stripCaptions(symbols)).toBe('string')
})
