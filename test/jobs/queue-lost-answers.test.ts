// The queue when responses of the database are lost: this process does not know which changes were made.

import { expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { openQueue } from '../../src/jobs/queue.ts'
import { silentLog } from '../../src/lib/log.ts'
import { newId } from '../../src/lib/uuid.ts'
import { createTestFolder, databaseKind } from '../support/database.ts'
import { createProxy } from '../support/proxy.ts'
import { until } from '../support/until.ts'

test.skipIf(databaseKind === 'embedded')(
  'delivers a job again if the connection broke during its delivery',
  async () => {
    await using folder = await createTestFolder()
    using proxy = await createProxy(folder.databaseUrl!)
    const database = await folder.open()
    const queue = await openQueue({
      database: { ...database, connection: { kind: 'external', url: proxy.url } },
      log: silentLog,
    })
    const job = { id: newId(new Date()), captureId: 'its capture' }
    await database.transaction((tx) => queue.send(tx, [job]))
    const isGiven = async () => {
      const found = await database.run((orm) =>
        orm.execute<{ state: string }>(sql`select state from pgboss.job where id = ${job.id}`),
      )
      return [...(found as unknown as { state: string }[])][0]?.state === 'active'
    }

    const handled: string[] = []
    proxy.mute()
    queue.work(async ({ id }) => {
      handled.push(id)
      return 'done'
    })
    await until(isGiven, { what: 'the job to be fetched' })
    expect(handled).toEqual([])
    proxy.cut()
    proxy.restore()
    const isHandled = async () => {
      await queue.recover().catch(() => {})
      return handled.length > 0
    }
    await until(isHandled, { what: 'the job to be delivered again' })
    expect(handled).toEqual([job.id])

    await queue.stop()
    await database.close()
  },
  80_000,
)
