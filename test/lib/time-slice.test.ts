import { expect, test } from 'bun:test'
import { inBatches, inSlices, type Sliced, sorted } from '../../src/lib/time-slice.ts'
import fc from '../support/fast-check.ts'

/** Blocks the thread for 3 ms per step. */
function* slow(steps: number): Sliced<string> {
  for (let step = 0; step < steps; step += 1) {
    for (const end = performance.now() + 3; performance.now() < end; );
    yield
  }
  return 'done'
}

/** The number of event loop turns while the work runs. */
async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  let turns = 0
  let isOver = false
  const count = () => {
    turns += 1
    if (!isOver) setImmediate(count)
  }
  setImmediate(count)
  await work()
  isOver = true
  return turns
}

test('long work yields to the event loop', async () => {
  let result = ''
  const turns = await turnsDuring(async () => {
    result = await inSlices(slow(30))
  })
  expect(result).toBe('done')
  expect(turns).toBeGreaterThanOrEqual(5)
})

test('concurrent work resumes one at a time, so that the loop turns between any two slices', async () => {
  const turns = await turnsDuring(() => Promise.all(Array.from({ length: 5 }, () => inSlices(slow(12)))))
  expect(turns).toBeGreaterThanOrEqual(10)
})

test('an error affects only the work that threw it', async () => {
  const broken = inSlices(
    (function* (): Sliced<void> {
      yield
      throw new Error('broken')
    })(),
  )
  const other = inSlices(slow(10))
  await expect(broken).rejects.toThrow('broken')
  expect(await other).toBe('done')
})

test('passes on a list in parts, in order and completely', async () => {
  const parts: number[][] = []
  await inBatches([1, 2, 3, 4, 5], 2, async (part) => void parts.push([...part]))
  expect(parts).toEqual([[1, 2], [3, 4], [5]])
})

test('sorts like toSorted and is stable, whatever the length of the list', async () => {
  const by = (one: { key: number }, other: { key: number }) => one.key - other.key
  const few = fc.array(fc.record({ key: fc.nat(5), index: fc.nat() }))
  await fc.assert(
    fc.asyncProperty(few, async (list) =>
      expect(await inSlices(sorted(list, by))).toEqual(list.toSorted(by)),
    ),
  )
  const many = Array.from({ length: 10_000 }, (_, index) => ({ key: (index * 7919) % 1000, index }))
  expect(await inSlices(sorted(many, by))).toEqual(many.toSorted(by))
})
