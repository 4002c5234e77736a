// How often a stream is heard while it lasts, in seconds of it.
// That nothing is left out where it is not, live-utterance.test.ts holds.

import { expect, test } from 'bun:test'
import { createLivePace } from '../../src/transcription/live-pace.ts'

const RATE = 16_000
const hearing = (from: number, to: number) => ({ fromArrived: from * RATE, toArrived: to * RATE })

test('a stream is heard twice a second, and less often where that takes longer', () => {
  const pace = createLivePace()
  expect(pace.leastNew()).toBe(0.5 * RATE)
  expect(pace.note(hearing(1, 1.2))).toBe('soon enough')
  expect(pace.leastNew()).toBe(0.5 * RATE)
  expect(pace.note(hearing(2, 3))).toBe('soon enough')
  expect(pace.leastNew()).toBe(1.25 * RATE)
  expect(pace.mayHear(3 * RATE)).toBe(true)
})

test('a stream that was heard too late is not heard for half a minute of it, and then tried again', () => {
  const pace = createLivePace()
  expect(pace.note(hearing(10, 11.5))).toBe('too slow')
  expect(pace.mayHear(41.4 * RATE)).toBe(false)
  expect(pace.mayHear(41.5 * RATE)).toBe(true)
  expect(pace.leastNew()).toBe(0.5 * RATE)
})
