// Taking turns: so many at a time, in order, and nobody forgotten.

import { expect, test } from 'bun:test'
import { createTurns } from '../../src/audio/turns.ts'

const patient = new AbortController().signal

test('so many have a turn at a time, the rest in the order they came', async () => {
  const turns = createTurns(2)
  const begun: number[] = []
  const ends: (() => void)[] = []
  const all = [1, 2, 3, 4].map(async (number) => {
    const release = await turns.take(patient)
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
  await turns.idle()
})

test('who aborts while waiting is passed over', async () => {
  const turns = createTurns(1)
  const release = await turns.take(patient)
  const abort = new AbortController()
  const [impatient, next] = [turns.take(abort.signal), turns.take(patient)]
  abort.abort()
  expect(await impatient).toBeNull()
  release!()
  expect(await next).toBeFunction()
  expect(await turns.take(AbortSignal.abort())).toBeNull()
})

test('who aborts in the very moment of being let in takes nobody else out of the line', async () => {
  const turns = createTurns(1)
  const release = await turns.take(patient)
  const abort = new AbortController()
  const [impatient, last] = [turns.take(abort.signal), turns.take(patient)]
  release!()
  abort.abort()
  // Let in all the same: it gives the turn back like anybody else.
  const given = await impatient
  expect(given).toBeFunction()
  given!()
  expect(await last).toBeFunction()
})
