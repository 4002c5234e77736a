// An outage of a real Postgres behind a proxy, and connections that Postgres ends during a query, as it does when it
// stops.
// Through the real server, to test what its clients see.

import { expect, test } from 'bun:test'
import { resolve } from 'node:path'
import postgres from 'postgres'
import { createTestFolder, databaseKind } from '../support/database.ts'
import { createProxy } from '../support/proxy.ts'
import { type RunningServer, startServer } from '../support/server.ts'
import { until } from '../support/until.ts'

const recording = resolve(import.meta.dir, '../speech/short-01.flac')

const post = async (server: RunningServer) => {
  const body = new FormData()
  body.append('file', Bun.file(recording), 'short.flac')
  const response = await fetch(`${server.url}/captures?wait=false`, { method: 'POST', body })
  expect([response.status, response.headers.has('location')]).toEqual([202, true])
  return ((await response.json()) as { id: string }).id
}

const untilWorkedOn = (server: RunningServer, ids: string[]) =>
  until(
    async () => {
      const all = await Promise.all(ids.map((id) => fetch(`${server.url}/captures/${id}`)))
      const bodies = (await Promise.all(all.map((one) => one.json()))) as { status?: string }[]
      return bodies.every(({ status }) => status === 'transcribing' || status === 'completed')
    },
    {
      timeoutMs: 120_000,
      what: () => `the work; the server said ${JSON.stringify(server.log().slice(-40))}`,
    },
  )

test.skipIf(databaseKind === 'embedded')(
  'stores recordings, reports its health and returns no 500 while the database is unreachable',
  async () => {
    await using folder = await createTestFolder()
    using proxy = await createProxy(folder.databaseUrl!)
    await using server = await startServer({
      dataFolder: folder.dataFolder,
      env: { DATABASE_URL: proxy.url },
    })
    const first = await post(server)

    proxy.cut()
    const health = await fetch(`${server.url}/health`)
    expect(health.status).toBe(200)
    expect(await health.json()).toMatchObject({ status: 'degraded', queue: { waiting: null, active: null } })
    const refused = await fetch(`${server.url}/captures`)
    expect([refused.status, refused.headers.has('retry-after')]).toEqual([503, true])
    expect(await refused.json()).toMatchObject({ code: 'database_unavailable' })
    const second = await post(server)

    proxy.restore()
    await untilWorkedOn(server, [first, second])
    expect(await (await fetch(`${server.url}/health`)).json()).toMatchObject({ status: 'healthy' })
  },
  240_000,
)

test.skipIf(databaseKind === 'embedded')(
  'loses neither a recording nor the server when a connection ends during a transaction',
  async () => {
    await using folder = await createTestFolder()
    await using server = await startServer({
      dataFolder: folder.dataFolder,
      env: { DATABASE_URL: folder.databaseUrl! },
    })
    const admin = postgres(folder.databaseUrl!, { max: 2, onnotice: () => {} })
    const end = () => admin`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and query like '%insert into "captures"%'`
    const ids: string[] = []
    // The consequences differ from one end to the next.
    for (let round = 0; round < 6; round++) {
      const blocker = await admin.reserve()
      await blocker`begin`
      await blocker`lock table captures in access exclusive mode`
      const posting = post(server).then((id) => ids.push(id))
      await until(async () => (await end()) && ids.length > round, { what: 'the answer' })
      await posting
      await blocker`rollback`
      blocker.release()
    }
    await untilWorkedOn(server, ids)
    await admin.end()
  },
  240_000,
)
