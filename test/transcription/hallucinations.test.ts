import { expect, test } from 'bun:test'
import { isHallucination } from '../../src/transcription/hallucinations.ts'
import { segment, span } from './spoken.ts'

test('keeps clear speech, however short', () => {
  expect(isHallucination(segment('Thank you.', 0, 600, 0.8), [span(0.3, 0.9)])).toBe(false)
  expect(isHallucination(segment('Yes.', 0, 300, 0.6), [span(0.3, 0.6, 0.85)])).toBe(false)
})

test('keeps a sentence of low confidence if the detector is sure of speech', () => {
  expect(isHallucination(segment('them could be proven to be', 0, 4000, 0.3), [span(0.3, 4)])).toBe(false)
})

test('keeps segments of an engine that reports no probabilities', () => {
  expect(isHallucination(segment('Good morning.', 0, 900, null), [span(0.3, 1.2)])).toBe(false)
})

test('drops endings of videos if the detector is unsure of speech', () => {
  expect(isHallucination(segment('Thanks for watching!', 0, 900, 0.8), [span(0.3, 1.2, 0.6)])).toBe(true)
  expect(isHallucination(segment('you', 0, 300, 0.3), [span(0.3, 0.6)])).toBe(true)
})

test('drops cries if the detector is unsure of speech, and keeps them if it is sure', () => {
  expect(isHallucination(segment('Woof! Woof! Woof!', 0, 1900, 0.8), [span(0.3, 2.2, 0.65)])).toBe(true)
  expect(isHallucination(segment('Oh, ha, ha.', 0, 1900, 0.8), [span(0.3, 2.2)])).toBe(false)
})

test('drops words of low confidence if the detector is unsure of speech', () => {
  expect(
    isHallucination(segment('What a dog it was', 0, 900, 0.4), [span(0.3, 0.6, 0.7), span(1.2, 1.5, 0.6)]),
  ).toBe(true)
})

test('drops text that is too long for the speech', () => {
  const text = 'I am going to be very happy to see you all here again on the next day of the week.'
  expect(isHallucination(segment(text, 0, 900, 0.9), [span(0.3, 0.6)])).toBe(true)
})

test('drops bare punctuation', () => {
  expect(isHallucination(segment('...', 0, 900, 0.9), [span(0.3, 2)])).toBe(true)
})
