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
])('a text of nothing but captions is no text: %s', (text) => {
  expect(stripCaptions(text)).toBe('')
})

test.each([
  ['[MUSIC] Hello there.', ' Hello there.'],
  ['Hello (laughs), how are you?', 'Hello, how are you?'],
  ['So *sighs* that is it.', 'So that is it.'],
  ['Hello. ♪ la la la ♪ Goodbye.', 'Hello. Goodbye.'],
  ['And then [inaudible].', 'And then.'],
])('captions are taken out of speech: %s', (text, left) => {
  expect(stripCaptions(text)).toBe(left)
})

test.each([
  'We met in Berlin (the capital) on Monday.',
  'Take the item list[0] and args[i].',
  'Two * three * four is twenty-four.',
  'Call f(x) with a number.',
  'He said yes (and then no).',
  '',
])('speech that holds brackets stays as it is: %s', (text) => {
  expect(stripCaptions(text)).toBe(text)
})

test('a long run of signs is judged at once', () => {
  const signs = `${'♪.-'.repeat(5000)}x`
  expect(stripCaptions(`${'...'.repeat(5000)}x`)).toEndWith('x')
  expect(stripCaptions(`${'[('.repeat(5000)}x`)).toEndWith('x')
  expect(typeof stripCaptions(signs)).toBe('string')
})
