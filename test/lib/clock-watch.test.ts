import { expect, test } from 'bun:test'
import { createClockWatch } from '../../src/lib/clock.ts'

const HOUR_MS = 3_600_000
const START = Date.parse('2026-03-29T00:30:00Z')

function watched() {
  let [shown, passed] = [START, 0]
  const watch = createClockWatch(
    () => new Date(shown),
    () => passed,
  )
  return {
    watch,
    pass(ms: number) {
      shown += ms
      passed += ms
    },
    put(ms: number) {
      shown += ms
    },
  }
}

test('a clock in step with elapsed time is steady, and a small deviation is not a jump', () => {
  const { watch, pass, put } = watched()
  expect(watch.steadyMs()).toBe(0)
  pass(HOUR_MS)
  put(500)
  expect(watch.steadyMs()).toBe(HOUR_MS)
  pass(HOUR_MS)
  expect(watch.steadyMs()).toBe(2 * HOUR_MS)
})

for (const jumpMs of [400 * 24 * HOUR_MS, -400 * 24 * HOUR_MS, -24 * HOUR_MS, HOUR_MS, 2 * 60_000])
  test(`restarts the steady time after a jump of ${jumpMs / HOUR_MS} hours`, () => {
    const { watch, pass, put } = watched()
    pass(5 * HOUR_MS)
    expect(watch.steadyMs()).toBe(5 * HOUR_MS)
    expect(watch.hasJumped()).toBe(false)
    put(jumpMs)
    expect(watch.steadyMs()).toBe(0)
    expect(watch.hasJumped()).toBe(true)
    expect(watch.hasJumped()).toBe(false)
    pass(HOUR_MS)
    expect(watch.steadyMs()).toBe(HOUR_MS)
  })
