// A real Postgres that cannot be reached for a while: a proxy before it is cut and put back.
// Through the real server, since what counts is what its clients see.

import { expect, test } from 'bun:test'
import { resolve } from 'node:path'
import { createTestFolder, databaseKind } from '../support/database.ts'
import { createProxy } from '../support/proxy.ts'
import { startServer } from '../support/server.ts'
import { until } from '../support/until.ts'

const recording = resolve(import.meta.dir, '../speech/short-01.flac')

const form = () => {
  const data = new FormData()
  data.append('file', Bun.file(recording), 'short.flac')
  return data
}

test.skipIf(databaseKind === 'embedded')(
  'while the database is away recordings are kept, the health is told, and nothing is a fault of the server',
  async () => {
    await using folder = await createTestFolder()
    const target = new URL(folder.databaseUrl!)
    using proxy = await createProxy({ hostname: target.hostname, port: Number(target.port) })
    const databaseUrl = Object.assign(new URL(folder.databaseUrl!), { host: `127.0.0.1:${proxy.port}` }).href
    await using server = await startServer({
      dataFolder: folder.dataFolder,
      env: { DATABASE_URL: databaseUrl },
    })
    const post = () => fetch(`${server.url}/captures?wait=false`, { method: 'POST', body: form() })
    const kept = async (response: Response) => {
      expect([response.status, response.headers.has('location')]).toEqual([202, true])
      return ((await response.json()) as { id: string }).id
    }
    const first = await kept(await post())

    proxy.cut()
    const health = await fetch(`${server.url}/health`)
    expect(health.status).toBe(200)
    expect(await health.json()).toMatchObject({ status: 'degraded', queue: { waiting: null, active: null } })
    const refused = await fetch(`${server.url}/captures`)
    expect([refused.status, refused.headers.has('retry-after')]).toEqual([503, true])
    expect(await refused.json()).toMatchObject({ code: 'database_unavailable' })
    const second = await kept(await post())

    proxy.restore()
    const ids = [first, second]
    await until(
      async () => {
        const all = await Promise.all(ids.map((id) => fetch(`${server.url}/captures/${id}`)))
        const bodies = (await Promise.all(all.map((one) => one.json()))) as { status?: string }[]
        return bodies.every(({ status }) => status === 'transcribing' || status === 'completed')
      },
      { timeoutMs: 60_000, what: 'the work on both' },
    )
    expect(await (await fetch(`${server.url}/health`)).json()).toMatchObject({ status: 'healthy' })
  },
  120_000,
)
