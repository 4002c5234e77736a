// The worker alone: its source of jobs is written by hand here, so that it can fail.

import { expect, test } from 'bun:test'
import { createWorker, type JobOutcome } from '../../src/jobs/worker.ts'
import { silentLog } from '../../src/lib/log.ts'
import { until } from '../support/until.ts'

const key = (id: string) => ({ id, captureId: `capture of ${id}` })

/** Gives each job once, and writes down what became of it. */
function source(ids: string[]) {
  const settled: [string, JobOutcome][] = []
  const take = async (limit: number) => ids.splice(0, limit).map((id) => ({ key: key(id), isLast: false }))
  const settle = async (id: string, outcome: JobOutcome) => {
    settled.push([id, outcome])
  }
  return { settled, take, putBackOthers: async () => {}, settle, log: silentLog }
}

test('a job whose outcome cannot be written is kept until it can', async () => {
  const from = source(['a'])
  let handled = 0
  let refusals = 1
  const worker = createWorker({
    ...from,
    async settle(id, outcome) {
      if (refusals-- > 0) throw new Error('the database is away')
      return from.settle(id, outcome)
    },
  })
  worker.start(async () => {
    if (++handled === 1) throw new Error('the database is away')
    return 'done'
  })
  await until(() => from.settled.length === 1, { what: 'the job' })
  expect(from.settled).toEqual([['a', 'done']])
  expect(handled).toBe(2)
  await worker.stop()
})

test('a place that becomes free is filled at once', async () => {
  const ids = Array.from({ length: 50 }, (_, index) => String(index))
  const from = source([...ids])
  let atOnce = 0
  let most = 0
  const worker = createWorker(from)
  worker.start(async () => {
    most = Math.max(most, ++atOnce)
    await Promise.resolve()
    atOnce--
    return 'done'
  })
  await until(() => from.settled.length === 50, { what: 'fifty jobs' })
  expect(from.settled.map(([id]) => id).sort()).toEqual(ids.sort())
  expect(most).toBeLessThanOrEqual(4)
  await worker.stop()
})

test('a stop tells every handler why, waits for them, and takes nothing more', async () => {
  const from = source(['a', 'b', 'c', 'd', 'e'])
  const reasons: unknown[] = []
  const begun: string[] = []
  const worker = createWorker(from)
  worker.start(async ({ id }, { signal }) => {
    begun.push(id)
    await new Promise((resolve) => signal.addEventListener('abort', resolve))
    reasons.push(signal.reason)
    return 'again'
  })
  await until(() => begun.length === 4, { what: 'four jobs' })
  worker.cancel('b')
  await until(() => from.settled.length === 1, { what: 'the cancelled one' })
  await worker.stop()
  expect(reasons[0]).toBe('canceled')
  expect(reasons.slice(1).every((reason) => reason === 'stopping')).toBe(true)
  expect(from.settled.length).toBe(reasons.length)
})

test('a job that is given while the worker stops is handed back before the stop is over', async () => {
  const from = source(['a'])
  const asked = Promise.withResolvers<void>()
  const answer = Promise.withResolvers<void>()
  const worker = createWorker({
    ...from,
    async take(limit) {
      asked.resolve()
      await answer.promise
      return from.take(limit)
    },
  })
  worker.start(async (_, { signal }) => (signal.aborted ? 'again' : 'done'))
  await asked.promise
  const stopped = worker.stop()
  answer.resolve()
  await stopped
  expect(from.settled).toEqual([['a', 'again']])
})

test('after a look that failed, what is not worked on here is put back', async () => {
  const from = source(['a'])
  const lost = ['b']
  const held: string[][] = []
  let looks = 0
  const finish = Promise.withResolvers<void>()
  const worker = createWorker({
    ...from,
    async take(limit) {
      if (++looks === 2) throw new Error('the answer was lost')
      if (looks > 2) return lost.splice(0).map((id) => ({ key: key(id), isLast: false }))
      return from.take(limit)
    },
    async putBackOthers(ids) {
      held.push([...ids])
    },
  })
  worker.start(async () => {
    await finish.promise
    return 'done'
  })
  await until(() => looks === 1, { what: 'the first look' })
  worker.wake()
  await until(() => looks === 2, { what: 'the second look' })
  expect(held).toEqual([])
  worker.wake()
  await until(() => looks === 3, { what: 'the third look' })
  expect(held).toEqual([['a']])
  finish.resolve()
  await until(() => from.settled.length === 2, { what: 'both' })
  await worker.stop()
})

test('a job that is given again while its end is still being written is not worked on twice', async () => {
  const from = source(['a'])
  const again = ['a']
  let handled = 0
  let taken = 0
  const written = Promise.withResolvers<void>()
  const worker = createWorker({
    ...from,
    async take(limit) {
      const first = await from.take(limit)
      taken++
      return first.length > 0 ? first : again.splice(0).map((id) => ({ key: key(id), isLast: false }))
    },
    async settle(id, outcome) {
      await written.promise
      return from.settle(id, outcome)
    },
  })
  worker.start(async () => {
    handled++
    return 'again'
  })
  await until(() => handled === 1, { what: 'the job' })
  worker.wake()
  await until(() => again.length === 0 && taken > 1, { what: 'it to be given again' })
  written.resolve()
  await until(() => from.settled.length === 1, { what: 'its end' })
  await worker.stop()
  expect([handled, from.settled]).toEqual([1, [['a', 'again']]])
})

test('what is to be alone waits until it can be, and nothing is begun beside it', async () => {
  const jobs = [
    { key: key('a'), isLast: false },
    { key: key('suspect'), isLast: false, alone: true },
    { key: key('another'), isLast: false, alone: true },
    { key: key('b'), isLast: false },
    { key: key('c'), isLast: false },
  ]
  const from = source([])
  const gates = new Map<string, () => void>()
  const atWork = new Set<string>()
  const seen: string[][] = []
  const worker = createWorker({ ...from, take: async (limit) => jobs.splice(0, limit) })
  worker.start(async ({ id }) => {
    atWork.add(id)
    seen.push([...atWork].sort())
    const gate = Promise.withResolvers<void>()
    gates.set(id, gate.resolve)
    await gate.promise
    atWork.delete(id)
    return 'done'
  })
  const finish = async (id: string) => {
    await until(() => gates.has(id), { what: `${id} to begin` })
    gates.get(id)?.()
    await until(() => from.settled.some(([settled]) => settled === id), { what: id })
  }
  for (const id of ['a', 'suspect', 'another', 'b', 'c']) await finish(id)
  expect(seen.slice(0, 3)).toEqual([['a'], ['suspect'], ['another']])
  expect(from.settled).toHaveLength(5)
  await worker.stop()
})

test('a stop hands back what waits to be alone', async () => {
  const jobs = [
    { key: key('a'), isLast: false },
    { key: key('suspect'), isLast: false, alone: true },
    { key: key('b'), isLast: false },
  ]
  const from = source([])
  const begun: string[] = []
  const worker = createWorker({ ...from, take: async (limit) => jobs.splice(0, limit) })
  worker.start(async ({ id }, { signal }) => {
    begun.push(id)
    if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve))
    return 'again'
  })
  await until(() => begun.length === 1, { what: 'the first' })
  await worker.stop()
  expect(from.settled.map(([id]) => id).sort()).toEqual(['a', 'b', 'suspect'])
})
