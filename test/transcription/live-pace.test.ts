import { expect, test } from 'bun:test'
import { createLivePace } from '../../src/transcription/live-pace.ts'

const RATE = 16_000
const hearing = (from: number, to: number) => ({ fromArrived: from * RATE, toArrived: to * RATE })

test('allows two previews a second, fewer if a preview takes longer', () => {
  const pace = createLivePace()
  expect(pace.leastNew()).toBe(0.5 * RATE)
  expect(pace.note(hearing(1, 1.2))).toBe('soon enough')
  expect(pace.leastNew()).toBe(0.5 * RATE)
  expect(pace.note(hearing(2, 3))).toBe('soon enough')
  expect(pace.leastNew()).toBe(1.25 * RATE)
  expect(pace.mayHear(3 * RATE)).toBe(true)
})

test('pauses previews for 30 s after a slow one', () => {
  const pace = createLivePace()
  expect(pace.note(hearing(10, 11.5))).toBe('too slow')
  expect(pace.mayHear(41.4 * RATE)).toBe(false)
  expect(pace.mayHear(41.5 * RATE)).toBe(true)
  expect(pace.leastNew()).toBe(0.5 * RATE)
})
