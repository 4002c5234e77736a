// Jobs whose times lie ahead, as a clock that was put back leaves them. The database is real; that the clock has jumped
// is told by hand.

import { expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { openQueue } from '../../src/jobs/queue.ts'
import { silentLog } from '../../src/lib/log.ts'
import { newId } from '../../src/lib/uuid.ts'
import { createTestFolder } from '../support/database.ts'
import { until } from '../support/until.ts'

test('a job that waits for a day that is not yet is given when the clock was put back, and one that pauses goes on pausing', async () => {
  await using folder = await createTestFolder()
  const database = await folder.open()
  let jumps = 0
  const watch = { steadyMs: () => 0, hasJumped: () => jumps-- > 0 }
  const queue = await openQueue({ database, log: silentLog, watch })
  const [ahead, pausing] = [1, 2].map((ms) => ({ id: newId(new Date(ms)), captureId: 'its capture' }))
  await database.transaction((tx) => queue.send(tx, [ahead!, pausing!]))
  const putOff = (id: string, by: string) =>
    database.run((orm) =>
      orm.execute(sql`update pgboss.job set start_after = now() + ${by}::interval where id = ${id}`),
    )
  await putOff(ahead!.id, '1 day')
  await putOff(pausing!.id, '30 seconds')

  const handled: string[] = []
  jumps = 1
  queue.work(async ({ id }) => {
    handled.push(id)
    return 'done'
  })
  await until(() => handled.length > 0, { what: 'the job to be given' })
  expect(handled).toEqual([ahead!.id])
  await queue.stop()
  await database.close()
})
