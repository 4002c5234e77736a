// How fast a download comes in, as the models view tells it.
// The server's own reckoning is tested with its transfer.

import { expect, test } from 'bun:test'
import { paceOf, type Sample, withSample } from '../../src/ui/models/download-rate.ts'

const paceAfter = (...samples: [atMs: number, bytes: number][]) =>
  paceOf(samples.reduce<readonly Sample[]>((all, [atMs, bytes]) => withSample(all, { atMs, bytes }), []))

test('the pace of a download is what came in the last ten seconds', () => {
  expect(paceAfter([0, 0], [1000, 500], [2000, 1000])).toBe(500)
  expect(paceAfter([0, 0], [1000, 1_000_000], [20_000, 1_000_000], [21_000, 1_002_000])).toBe(2000)
})

test('there is none before there are two figures, and it begins anew where the download did', () => {
  expect(paceAfter([0, 0])).toBeNull()
  expect(paceAfter([0, 5000], [1000, 100])).toBeNull()
  expect(paceAfter([0, 5000], [1000, 100], [2000, 200])).toBe(100)
})
