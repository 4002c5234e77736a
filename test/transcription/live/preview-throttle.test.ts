import { expect, test } from 'bun:test'
import { createPreviewThrottle } from '../../../src/transcription/live/preview.ts'

const RATE = 16_000
const preview = (from: number, to: number) => ({ fromArrived: from * RATE, toArrived: to * RATE })

test('allows two previews a second, fewer if a preview takes longer', () => {
  const throttle = createPreviewThrottle()
  expect(throttle.minNewSamples()).toBe(0.5 * RATE)
  expect(throttle.record(preview(1, 1.2))).toBe('fast enough')
  expect(throttle.minNewSamples()).toBe(0.5 * RATE)
  expect(throttle.record(preview(2, 3))).toBe('fast enough')
  expect(throttle.minNewSamples()).toBe(1.25 * RATE)
  expect(throttle.mayPreview(3 * RATE)).toBe(true)
})

test('pauses previews for 30 s after a slow one', () => {
  const throttle = createPreviewThrottle()
  expect(throttle.record(preview(10, 11.5))).toBe('too slow')
  expect(throttle.mayPreview(41.4 * RATE)).toBe(false)
  expect(throttle.mayPreview(41.5 * RATE)).toBe(true)
  expect(throttle.minNewSamples()).toBe(0.5 * RATE)
})
