// The CPU time limit of a decoder process. decode-hostile.test.ts has processes that exceed it.

import { expect, test } from 'bun:test'
import { createStopWatch } from '../../src/audio/decoder-child.ts'

const HOUR_BYTES = 3600 * 64_000

test('output of a rejected track that was deleted still counts', () => {
  let cpuTimeMs = 0
  const stopWatch = createStopWatch(() => cpuTimeMs)
  const isExpiredAfter = (ms: number, out: number) => {
    cpuTimeMs += ms
    return stopWatch.expired({ in: 0, out })
  }
  expect(isExpiredAfter(150_000, HOUR_BYTES)).toBe(false)
  expect(isExpiredAfter(10_000, 0)).toBe(false)
  expect(isExpiredAfter(150_000, HOUR_BYTES)).toBe(false)
  expect(isExpiredAfter(100_000, HOUR_BYTES)).toBe(true)
})
