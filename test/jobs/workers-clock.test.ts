// Jobs with start times in the future, after the clock was set back. The database is real; the jump of the clock is
// simulated.

import { expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { openQueue } from '../../src/jobs/queue.ts'
import { silentLog } from '../../src/lib/log.ts'
import { newId } from '../../src/lib/uuid.ts'
import { createTestFolder } from '../support/database.ts'
import { until } from '../support/until.ts'

test('ends a pause that a set-back clock would extend by a day, and runs a new job whatever the clock shows', async () => {
  await using folder = await createTestFolder()
  const database = await folder.open()
  let hasJumped = false
  const watch = () => ({ steadyMs: () => 0, hasJumped: () => hasJumped })
  const queue = await openQueue({ database, log: silentLog, watch })
  const job = { id: newId(new Date()), captureId: 'its capture' }
  await database.transaction((tx) => queue.send(tx, [job]))
  const [waiting] = await queue.boss.findJobs('transcribe')
  expect(waiting?.startAfter.getFullYear()).toBe(2020)

  const handled: string[] = []
  await queue.work(async ({ id }) => {
    handled.push(id)
    if (handled.length > 1) return 'done'
    await database.transaction((tx) => queue.retry(tx, id))
    await database.run((orm) =>
      orm.execute(sql`update pgboss.job set start_after = now() + interval '1 day' where id = ${id}`),
    )
    return 'again'
  })
  await until(() => handled.length === 1, { what: 'the first attempt' })
  hasJumped = true
  await until(() => handled.length === 2, { what: 'the second attempt' })
  await queue.stop()
  await database.close()
})
