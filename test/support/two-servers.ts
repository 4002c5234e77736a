// Real servers on one real Postgres, with a data folder each and one store in a folder that all of them mount.

import { randomUUID } from 'node:crypto'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'
import { isPostgresInstalled, startPostgres } from './postgres.ts'
import { type RunningServer, type ServerOptions, startServer } from './server.ts'

export { isPostgresInstalled }

export type OneDatabase = {
  url: string
  sql: postgres.Sql
  /** the folder that all servers mount */
  store: string
  /** a server with a new data folder, unless one is given; `isApart`: without the store of the others */
  server(options?: ServerOptions & { databaseUrl?: string; isApart?: boolean }): Promise<RunningServer>
  [Symbol.asyncDispose](): Promise<void>
}

/** An empty database on the Postgres that TEST_DATABASE_URL names; on a new one if there is none, or for `settings`. */
export async function createOneDatabase({ settings }: { settings?: string[] } = {}): Promise<OneDatabase> {
  const given = settings === undefined ? process.env.TEST_DATABASE_URL : undefined
  const own = given === undefined ? await startPostgres({ ...(settings && { settings }) }) : null
  const root = new URL(given ?? own!.url)
  const name = `test_${randomUUID().replaceAll('-', '')}`
  const admin = postgres(root.href, { max: 1, onnotice: () => {} })
  await admin.unsafe(`create database ${name}`)
  const url = Object.assign(new URL(root.href), { pathname: name }).href
  const sql = postgres(url, { max: 2, onnotice: () => {} })
  const home = await mkdtemp(join(tmpdir(), 'dictation-machines-'))
  const store = join(home, 'store')
  await mkdir(store)
  const running: RunningServer[] = []

  return {
    url,
    sql,
    store,
    async server({ databaseUrl = url, isApart = false, dataFolder, ...options } = {}) {
      const shared = isApart ? {} : { DICTATION_STORE: store }
      const env = { DATABASE_URL: databaseUrl, DICTATION_THREADS: '1', ...shared, ...options.env }
      const folder = dataFolder ?? (await mkdtemp(join(home, 'data-')))
      const server = await startServer({ ...options, env, dataFolder: folder })
      running.push(server)
      return server
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(running.map((server) => server.stop()))
      await sql.end()
      if (own === null) await admin.unsafe(`drop database ${name} with (force)`)
      await admin.end()
      await own?.stop()
      await rm(home, { recursive: true, force: true })
    },
  }
}
