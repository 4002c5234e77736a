// The download rate that the models view shows.

import { expect, test } from 'bun:test'
import { paceOf, type Sample, withSample } from '../../../src/ui/models/model-state.ts'

const paceAfter = (...samples: [atMs: number, bytes: number][]) =>
  paceOf(samples.reduce<readonly Sample[]>((all, [atMs, bytes]) => withSample(all, { atMs, bytes }), []))

test('the rate of a download covers the last ten seconds', () => {
  expect(paceAfter([0, 0], [1000, 500], [2000, 1000])).toBe(500)
  expect(paceAfter([0, 0], [1000, 1_000_000], [20_000, 1_000_000], [21_000, 1_002_000])).toBe(2000)
})

test('there is none before two samples, and it restarts with the download', () => {
  expect(paceAfter([0, 0])).toBeNull()
  expect(paceAfter([0, 5000], [1000, 100])).toBeNull()
  expect(paceAfter([0, 5000], [1000, 100], [2000, 200])).toBe(100)
})
