import { expect, test } from 'bun:test'
import { msLeft, msLeftOfAll } from '../../../src/ui/files/time-left.ts'

test('the rest of a file takes as long as the finished part did', () => {
  expect(msLeft(0.25, 3000)).toBe(9000)
  expect(msLeft(1, 3000)).toBe(0)
  expect(msLeft(0.01, 3000)).toBeNull()
})

test('waiting files take as long per byte as those before them', () => {
  const done = { bytes: 1000, doneMs: 2000, isOver: true, msLeft: null }
  const atWork = { bytes: 1000, doneMs: 4000, isOver: false, msLeft: 1000 }
  const waits = { bytes: 500, doneMs: null, isOver: false, msLeft: null }
  expect(msLeftOfAll([done, atWork, waits])).toBe(1000 + 1500)
  expect(msLeftOfAll([waits])).toBeNull()
  expect(msLeftOfAll([done])).toBeNull()
})
