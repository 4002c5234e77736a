import { expect, test } from 'bun:test'
import { fuller, isLedAstray, saidBefore } from '../../src/transcription/going-on.ts'
import { segment, span } from './spoken.ts'

test('what was said before is the end of it, and nothing where nothing was said', () => {
  expect(saidBefore([])).toBeNull()
  expect(saidBefore([segment('Good morning.', 0, 900), segment('And good night.', 900, 2000)])).toBe(
    'Good morning. And good night.',
  )
  const many = Array.from({ length: 500 }, (_, number) => segment(`Sentence ${number}.`, 0, 1000))
  const before = saidBefore(many)!
  expect(before.length).toBeLessThanOrEqual(1000)
  expect(before).toEndWith('Sentence 498. Sentence 499.')
})

test('a hearing that writes what was said is not led astray, also where it says a word of before again', () => {
  const said = [segment('So this is what we are going to do about it.', 300, 3600)]
  expect(isLedAstray(said, [span(0.3, 3.6)], 'We have to do something about it.')).toBe(false)
})

test('a hearing is led astray when it begins seconds after the speech does', () => {
  const said = [segment('So this is what we are going to do about it.', 4300, 7600)]
  expect(isLedAstray(said, [span(0.3, 7.6)], 'Something else.')).toBe(true)
})

test('a hearing is led astray when it only says again what was said', () => {
  const said = [segment('to do something, about it!', 300, 1600)]
  expect(isLedAstray(said, [span(0.3, 1.6)], 'We have to do something about it.')).toBe(true)
})

test('of two hearings the one without a loop counts, else the longer one', () => {
  const loop = { segments: [segment('and so on '.repeat(30), 0, 20_000)] }
  const short = { segments: [segment('And so on.', 0, 900)] }
  const long = { segments: [segment('And so on and so forth.', 0, 1900)] }
  expect(fuller(loop, short)).toBe(short)
  expect(fuller(short, loop)).toBe(short)
  expect(fuller(short, long)).toBe(long)
  expect(fuller(long, short)).toBe(long)
})
