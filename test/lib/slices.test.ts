import { expect, test } from 'bun:test'
import { inBatches, inSlices, type Sliced, sorted } from '../../src/lib/slices.ts'
import fc from '../support/fast-check.ts'

/** Takes the processor for some milliseconds at each of its steps. */
function* slow(steps: number): Sliced<string> {
  for (let step = 0; step < steps; step += 1) {
    for (const end = performance.now() + 3; performance.now() < end; );
    yield
  }
  return 'done'
}

/** How often the loop came round while something was done. */
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

test('long work lets others have the loop in between', async () => {
  let result = ''
  const turns = await turnsDuring(async () => {
    result = await inSlices(slow(30))
  })
  expect(result).toBe('done')
  expect(turns).toBeGreaterThanOrEqual(5)
})

test('several at once go on one at a time, so that the loop comes round between any two of their slices', async () => {
  const turns = await turnsDuring(() => Promise.all(Array.from({ length: 5 }, () => inSlices(slow(12)))))
  expect(turns).toBeGreaterThanOrEqual(10)
})

test('what one of them throws is its own', async () => {
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

test('a list is handed on in parts, in order, and to its end', async () => {
  const parts: number[][] = []
  await inBatches([1, 2, 3, 4, 5], 2, async (part) => void parts.push([...part]))
  expect(parts).toEqual([[1, 2], [3, 4], [5]])
})

test('sorting is that of the language, equals in their order, however long the list is', async () => {
  const by = (one: { key: number }, other: { key: number }) => one.key - other.key
  const few = fc.array(fc.record({ key: fc.nat(5), place: fc.nat() }))
  await fc.assert(
    fc.asyncProperty(few, async (list) =>
      expect(await inSlices(sorted(list, by))).toEqual(list.toSorted(by)),
    ),
  )
  const many = Array.from({ length: 10_000 }, (_, place) => ({ key: (place * 7919) % 1000, place }))
  expect(await inSlices(sorted(many, by))).toEqual(many.toSorted(by))
})
