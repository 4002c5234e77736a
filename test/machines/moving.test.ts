// Moving a few hundred captures: from a data folder into Postgres and a store, into an empty Postgres, and back into a
// folder that runs alone. The server is killed in the middle of each, and the next start completes it.

import { expect, setDefaultTimeout, test } from 'bun:test'
import { cp, readdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { makeCaptures } from '../batch/many-captures.ts'
import { createTestFolder } from '../support/database.ts'
import { type RunningServer, startServer } from '../support/server.ts'
import { createOneDatabase, isPostgresInstalled } from '../support/two-servers.ts'
import { until } from '../support/until.ts'

setDefaultTimeout(900_000)

const COUNT = 300
const LONG = { timeoutMs: 300_000 }

const program = resolve(import.meta.dir, '../../src/cli/main.ts')

async function verify(env: Record<string, string>): Promise<string> {
  const child = Bun.spawn([process.execPath, program, 'verify'], {
    ...{ env: { ...process.env, ...env }, stdout: 'pipe', stderr: 'pipe' },
  })
  const texts = await Promise.all([child.stdout, child.stderr].map((stream) => new Response(stream).text()))
  return `${await child.exited} ${texts.join('')}`
}

const audioIn = async (folder: string): Promise<number> =>
  (await readdir(join(folder, 'captures'), { recursive: true })).filter((name) => name.endsWith('.wav'))
    .length

/** Kills a server that starts, as soon as some of its work is done. */
async function killedAt(starting: Promise<RunningServer>, hasBegun: () => Promise<boolean>): Promise<void> {
  const server = await starting
  await until(hasBegun, { ...LONG, what: () => `the move; ${JSON.stringify(server.log().slice(-3))}` })
  await server.kill()
  expect(server.log().some(({ msg }) => msg === 'ready')).toBe(false)
}

const totalOf = async ({ url }: RunningServer): Promise<number> =>
  ((await (await fetch(`${url}/captures?limit=1`)).json()) as { total: number }).total

test.skipIf(!(await isPostgresInstalled()))(
  'loses nothing when it is killed while it moves in or out',
  async () => {
    await using database = await createOneDatabase()
    await using moved = await createTestFolder()
    const { dataFolder } = moved
    await makeCaptures(dataFolder, COUNT)
    const start = (untilReady: boolean) => database.server({ dataFolder, untilReady })
    await killedAt(start(false), async () => (await audioIn(database.store).catch(() => 0)) > 0)
    const server = await start(true)
    expect(await totalOf(server)).toBe(COUNT)
    expect(await audioIn(database.store)).toBe(COUNT)
    expect(await audioIn(dataFolder)).toBe(0)
    const isCopied = async () => {
      const [row] = await database.sql`select count(*)::int as count from captures
      where copied_revision is distinct from revision`
      return row!.count === 0
    }
    await until(isCopied, LONG)
    expect(await server.stop()).toBe(0)
    const shared = { DICTATION_STORE: database.store, DICTATION_DATA_DIR: dataFolder }
    expect(await verify({ ...shared, DATABASE_URL: database.url })).toStartWith(`0 ${COUNT} captures`)

    await using empty = await createOneDatabase()
    const env = { DICTATION_STORE: database.store }
    await killedAt(empty.server({ dataFolder, env, untilReady: false }), async () => {
      const rows = await empty.sql`select 1 from captures limit 1`.catch(() => [])
      return rows.length > 0
    })
    const filled = await empty.server({ dataFolder, env })
    expect(await totalOf(filled)).toBe(COUNT)
    expect(await filled.stop()).toBe(0)
    expect(await verify({ ...shared, DATABASE_URL: empty.url })).toStartWith(`0 ${COUNT} captures`)

    await using alone = await createTestFolder()
    await cp(database.store, alone.dataFolder, { recursive: true })
    const embedded = { dataFolder: alone.dataFolder, env: { DATABASE_URL: '' } }
    const first = await startServer({ ...embedded, untilReady: false })
    await until(() => first.log().length > 0, LONG)
    await first.kill()
    const second = await startServer(embedded)
    expect(await totalOf(second)).toBe(COUNT)
    expect(await second.stop()).toBe(0)
    const own = { DICTATION_DATA_DIR: alone.dataFolder, DATABASE_URL: '', DICTATION_STORE: '' }
    expect(await verify(own)).toStartWith(`0 ${COUNT} captures`)
  },
)
