import { expect, test } from 'bun:test'
import { createSemaphore } from '../../src/audio/semaphore.ts'

const patient = new AbortController().signal

test('admits a limited number of callers at a time, in order of arrival', async () => {
  const semaphore = createSemaphore(2)
  const begun: number[] = []
  const ends: (() => void)[] = []
  const all = [1, 2, 3, 4].map(async (number) => {
    const release = await semaphore.acquire(patient)
    begun.push(number)
    ends.push(release!)
  })
  await Promise.all(all.slice(0, 2))
  expect(begun).toEqual([1, 2])
  ends[1]!()
  await all[2]
  expect(begun).toEqual([1, 2, 3])
  ends[0]!()
  await all[3]
  ends[2]!()
  ends[3]!()
  await semaphore.idle()
})

test('skips a caller that aborts while it waits', async () => {
  const semaphore = createSemaphore(1)
  const release = await semaphore.acquire(patient)
  const abort = new AbortController()
  const [impatient, next] = [semaphore.acquire(abort.signal), semaphore.acquire(patient)]
  abort.abort()
  expect(await impatient).toBeNull()
  release!()
  expect(await next).toBeFunction()
  expect(await semaphore.acquire(AbortSignal.abort())).toBeNull()
})

test('a caller that aborts at the moment of admission does not remove another from the queue', async () => {
  const semaphore = createSemaphore(1)
  const release = await semaphore.acquire(patient)
  const abort = new AbortController()
  const [impatient, last] = [semaphore.acquire(abort.signal), semaphore.acquire(patient)]
  release!()
  abort.abort()
  // It was admitted and must release its slot.
  const given = await impatient
  expect(given).toBeFunction()
  given!()
  expect(await last).toBeFunction()
})
