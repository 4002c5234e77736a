// How long files will take, by how fast it went so far.
// That it is shown is test/browser/page-files.test.ts's.

import { expect, test } from 'bun:test'
import { msLeft, msLeftOfAll } from '../../src/ui/files/time-left.ts'

test('what is left of one takes as long as what is done did', () => {
  expect(msLeft(0.25, 3000)).toBe(9000)
  expect(msLeft(1, 3000)).toBe(0)
  expect(msLeft(0.01, 3000)).toBeNull()
})

test('those that wait take as long for a byte as those before them', () => {
  const done = { bytes: 1000, doneMs: 2000, isOver: true, msLeft: null }
  const atWork = { bytes: 1000, doneMs: 4000, isOver: false, msLeft: 1000 }
  const waits = { bytes: 500, doneMs: null, isOver: false, msLeft: null }
  expect(msLeftOfAll([done, atWork, waits])).toBe(1000 + 1500)
  expect(msLeftOfAll([waits])).toBeNull()
  expect(msLeftOfAll([done])).toBeNull()
})
