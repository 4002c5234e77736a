// Which servers and workers may join others on one real Postgres, and what happens to the work of one that dies.

import { expect, setDefaultTimeout, test } from 'bun:test'
import type { RunningServer } from '../support/server.ts'
import { recordingFile } from '../support/speech.ts'
import { createOneDatabase, isPostgresInstalled } from '../support/two-servers.ts'
import { until } from '../support/until.ts'

setDefaultTimeout(240_000)

// biome-ignore lint/suspicious/noExplicitAny: answers are looked at field by field
type Json = any

const withPostgres = test.skipIf(!(await isPostgresInstalled()))

const get = async ({ url }: RunningServer, path: string): Promise<Json> =>
  (await fetch(`${url}${path}`)).json()

async function upload({ url }: RunningServer, recording: string, wait: string): Promise<Json> {
  const form = new FormData()
  form.set('file', new File([await recordingFile(recording).arrayBuffer()], recording))
  return (await fetch(`${url}/captures?wait=${wait}`, { method: 'POST', body: form })).json()
}

withPostgres('refuses a second server that does not share the store of the first', async () => {
  await using database = await createOneDatabase()
  const first = await database.server()
  expect(first.log().find(({ msg }) => msg === 'alone on the database')).toMatchObject({ captures: 0 })
  await expect(database.server({ isApart: true })).rejects.toThrow(
    'Set DICTATION_STORE as on its other servers',
  )
  expect(await get(first, '/captures')).toMatchObject({ total: 0 })
})

withPostgres('refuses a second server while recordings are in the data folder of the first', async () => {
  await using database = await createOneDatabase()
  const first = await database.server({ isApart: true })
  await expect(database.server({ isApart: true })).rejects.toThrow('set DICTATION_STORE to the same store')
  await first.stop()
  await database.server({ isApart: true })
})

withPostgres('lists the live servers and workers; a worker has no API', async () => {
  await using database = await createOneDatabase()
  const server = await database.server()
  const worker = await database.server({ args: ['worker'] })
  expect(worker.log().find(({ msg }) => msg === 'joined other servers')).toMatchObject({
    with: [expect.stringMatching(/^server /)],
  })
  const { items } = await get(server, '/jobs/workers')
  expect(items.map(({ role, pid }: Json) => [role, pid]).sort()).toEqual([
    ['server', server.pid],
    ['worker', worker.pid],
  ])
  const statuses = []
  for (const path of ['/health', '/metrics', '/captures', '/docs', '/settings'])
    statuses.push((await fetch(`${worker.url}${path}`)).status)
  expect(statuses).toEqual([200, 200, 404, 404, 404])
})

withPostgres('another server takes over the job of one that was killed', async () => {
  await using database = await createOneDatabase()
  const servers = [await database.server(), await database.server()]
  const { id } = await upload(servers[0]!, 'paragraph-1.flac', 'false')
  const hasBegun = (server: RunningServer) =>
    server.log().some((line) => line.captureId === id && line.msg === 'begun')
  const victim = await until(() => servers.find(hasBegun))
  const heir = servers.find((server) => server !== victim)!
  await victim.kill()
  await until(() => hasBegun(heir), { what: 'the takeover' })
  await until(async () => (await get(heir, `/captures/${id}`)).status === 'completed', { timeoutMs: 200_000 })
  const { items } = await get(heir, `/jobs?capture_id=${id}`)
  expect(items).toMatchObject([{ state: 'completed', attempts: 2 }])
})

withPostgres('refuses to change the tables of the queue while an older server is live', async () => {
  await using database = await createOneDatabase()
  await database.server()
  await database.sql`update pgboss.version set version = version - 1`
  await expect(database.server()).rejects.toThrow('Stop all servers and workers of the older version')
})
