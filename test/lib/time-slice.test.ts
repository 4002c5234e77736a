import { expect, test } from 'bun:test'
import { createPause, inBatches } from '../../src/lib/time-slice.ts'
import { turnsDuring } from '../support/event-loop.ts'

/** Blocks the thread for 3 ms per step. */
async function slow(steps: number): Promise<string> {
  const pause = createPause()
  for (let step = 0; step < steps; step += 1) {
    for (const end = performance.now() + 3; performance.now() < end; );
    await pause()
  }
  return 'done'
}

test('long work yields to the event loop', async () => {
  let result = ''
  const turns = await turnsDuring(async () => {
    result = await slow(30)
  })
  expect(result).toBe('done')
  expect(turns).toBeGreaterThanOrEqual(5)
})

test('concurrent work resumes one at a time, so that the loop turns between any two slices', async () => {
  const turns = await turnsDuring(() => Promise.all(Array.from({ length: 5 }, () => slow(12))))
  expect(turns).toBeGreaterThanOrEqual(10)
})

test('passes on a list in parts, in order and completely', async () => {
  const parts: number[][] = []
  await inBatches([1, 2, 3, 4, 5], 2, async (part) => void parts.push([...part]))
  expect(parts).toEqual([[1, 2], [3, 4], [5]])
})
