// The rows of the queue in the database, and its deliveries.

import { expect, test } from 'bun:test'
import { openQueue } from '../../src/jobs/queue.ts'
import { silentLog } from '../../src/lib/log.ts'
import { newId } from '../../src/lib/uuid.ts'
import { createTestFolder } from '../support/database.ts'
import { until } from '../support/until.ts'

test('leaves no row of an ended or withdrawn delivery', async () => {
  await using folder = await createTestFolder()
  const database = await folder.open()
  const queue = await openQueue({ database, log: silentLog })
  const statesLeft = async () => {
    const found = await queue.boss.getDb().executeSql('select state from pgboss.job')
    return (found.rows as { state: string }[]).map(({ state }) => state)
  }

  const [withdrawn, ...done] = [1, 2, 3].map((ms) => ({ id: newId(new Date(ms)), captureId: 'its capture' }))
  await database.transaction((tx) => queue.send(tx, [withdrawn!, ...done]))
  await database.transaction((tx) => queue.withdraw(tx, withdrawn!.id))
  expect(await statesLeft()).toEqual(['created', 'created'])
  const handled: string[] = []
  await queue.work(async ({ id }) => {
    await database.transaction((tx) => queue.withdraw(tx, id))
    handled.push(id)
    return 'done'
  })
  await until(async () => handled.length === 2 && (await statesLeft()).every((state) => state !== 'active'), {
    what: 'both deliveries to be deleted',
  })
  expect(await statesLeft()).toEqual([])
  await queue.stop()
  await database.close()
})

test('keeps the waiting deliveries of the last run, and replaces the others', async () => {
  await using folder = await createTestFolder()
  const database = await folder.open()
  const job = (ms: number) => ({ id: newId(new Date(ms)), captureId: 'its capture' })
  const [interrupted, failed, waiting, ended, suspect, missing] = [1, 2, 3, 4, 5, 6].map(job)
  const first = await openQueue({ database, log: silentLog })
  await database.transaction((tx) => first.send(tx, [interrupted!]))
  expect(await first.boss.fetch('transcribe')).toHaveLength(1)
  await database.transaction((tx) => first.send(tx, [failed!]))
  expect(await first.boss.fetch('transcribe')).toHaveLength(1)
  await database.transaction((tx) => first.retry(tx, failed!.id))
  await database.transaction((tx) => first.send(tx, [waiting!, ended!, suspect!]))
  const sentAt = (await first.boss.findJobs('transcribe', { id: waiting!.id }))[0]!.createdOn
  await first.stop()

  const queue = await openQueue({ database, log: silentLog })
  const left = [interrupted!, failed!, waiting!, { ...suspect!, suspect: 'now' as const }, missing!]
  const resumed = left.map((one, index) => ({ ...one, priority: left.length - index }))
  await database.transaction((tx) => queue.resume(tx, resumed))
  const deliveries = await queue.boss.findJobs('transcribe')
  const byId = new Map(deliveries.map((delivery) => [delivery.id, delivery]))
  expect([...byId.keys()].sort()).toEqual(
    [interrupted!, failed!, waiting!, missing!].map(({ id }) => id).sort(),
  )
  expect(deliveries.every(({ state }) => state === 'created')).toBe(true)
  expect(byId.get(waiting!.id)?.createdOn).toEqual(sentAt)
  expect((await queue.boss.findJobs('suspects')).map(({ id }) => id)).toEqual([suspect!.id])

  const handled: string[] = []
  await queue.work(async ({ id }) => {
    handled.push(id)
    return 'done'
  })
  await until(() => handled.length === 5, { what: 'all jobs to be delivered' })
  expect(handled[0]).toBe(suspect!.id)
  expect([...handled].sort()).toEqual(left.map(({ id }) => id).sort())
  await queue.stop()
  await database.close()
})

test('loses no job that waits for its turn when the server stops', async () => {
  await using folder = await createTestFolder()
  const database = await folder.open()
  const [suspect, other] = [1, 2].map((ms) => ({ id: newId(new Date(ms)), captureId: 'its capture' }))
  const first = await openQueue({ database, log: silentLog })
  await database.transaction((tx) => first.send(tx, [{ ...suspect!, suspect: 'now' }, other!]))
  const begun: string[] = []
  await first.work(async ({ id }, { signal }) => {
    begun.push(id)
    await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
    await database.transaction((tx) => first.retry(tx, id))
    return 'again'
  })
  await until(
    async () => begun.length === 1 && (await first.boss.findJobs('transcribe'))[0]?.state === 'active',
    { what: 'one job to run and the other to wait for its turn' },
  )
  await first.stop()
  const queue = await openQueue({ database, log: silentLog })
  const [delivery] = await queue.boss.findJobs('transcribe')
  expect(['retry', 'active']).toContain(String(delivery?.state))
  await queue.stop()
  await database.close()
})
