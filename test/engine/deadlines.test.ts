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

test('gives a larger model longer deadlines', () => {
  expect(windowDeadlineMs(TURBO, 30)).toBeGreaterThan(windowDeadlineMs(TINY, 30))
  expect(loadDeadlineMs(TURBO)).toBeGreaterThan(loadDeadlineMs(TINY))
  expect(longestSilenceMs(TURBO, 30_000)).toBeGreaterThan(80_000)
  expect(longestSilenceMs(TINY, 30_000)).toBeLessThan(34_000)
})

test('reports silence long before it kills the process, and both before the deadline of the window', () => {
  for (const model of [TINY, TURBO]) {
    const killed = longestSilenceMs(model, 30_000)
    expect(suspiciousSilenceMs(model)).toBeLessThan(killed / 4)
    expect(windowDeadlineMs(model, 1)).toBeGreaterThan(killed)
  }
})
