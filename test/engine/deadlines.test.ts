// How long engines may take, by the size of a model. That they are killed for more is process-engine.test.ts.

import { expect, test } from 'bun:test'
import {
  loadDeadlineMs,
  longestSilenceMs,
  suspiciousSilenceMs,
  windowDeadlineMs,
} from '../../src/engine/deadlines.ts'

const modelOf = (bytes: number) => ({ name: 'any', path: '/any', bytes, multilingual: true })
const TINY = modelOf(32_000_000)
const TURBO = modelOf(574_000_000)

test('the larger a model is, the longer everything may take', () => {
  expect(windowDeadlineMs(TURBO, 30)).toBeGreaterThan(windowDeadlineMs(TINY, 30))
  expect(loadDeadlineMs(TURBO)).toBeGreaterThan(loadDeadlineMs(TINY))
  expect(longestSilenceMs(TURBO, 30_000)).toBeGreaterThan(80_000)
  expect(longestSilenceMs(TINY, 30_000)).toBeLessThan(34_000)
})

test('a silence shows long before a process is killed for it, and both before the window must be done', () => {
  for (const model of [TINY, TURBO]) {
    const killed = longestSilenceMs(model, 30_000)
    expect(suspiciousSilenceMs(model)).toBeLessThan(killed / 4)
    expect(windowDeadlineMs(model, 1)).toBeGreaterThan(killed)
  }
})
