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
