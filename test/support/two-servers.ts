// Two real servers on one real Postgres, with a data folder each and one folder of recordings that both read.

import { randomUUID } from 'node:crypto'
import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'
import { isPostgresInstalled, startPostgres } from './postgres.ts'
import { type RunningServer, type ServerOptions, startServer } from './server.ts'

export { isPostgresInstalled }

export type OneDatabase = {
  url: string
  sql: postgres.Sql
  /** a data folder; `isApart` has recordings of its own */
  folder(how?: { isApart: boolean }): Promise<string>
  /** a server with a new data folder, unless one is given */
  server(options?: ServerOptions & { databaseUrl?: string }): Promise<RunningServer>
  [Symbol.asyncDispose](): Promise<void>
}

/** An empty database on the Postgres that TEST_DATABASE_URL names, else on a new one. */
export async function createOneDatabase(): Promise<OneDatabase> {
  const given = process.env.TEST_DATABASE_URL
  const own = given === undefined ? await startPostgres() : null
  const root = new URL(given ?? own!.url)
  const name = `test_${randomUUID().replaceAll('-', '')}`
  const admin = postgres(root.href, { max: 1, onnotice: () => {} })
  await admin.unsafe(`create database ${name}`)
  const url = Object.assign(new URL(root.href), { pathname: name }).href
  const sql = postgres(url, { max: 2, onnotice: () => {} })
  const home = await mkdtemp(join(tmpdir(), 'dictation-machines-'))
  const shared = join(home, 'captures')
  await mkdir(shared)
  const running: RunningServer[] = []

  const folder: OneDatabase['folder'] = async ({ isApart } = { isApart: false }) => {
    const path = await mkdtemp(join(home, 'data-'))
    if (!isApart) await symlink(shared, join(path, 'captures'))
    return path
  }
  return {
    url,
    sql,
    folder,
    async server({ databaseUrl = url, dataFolder, ...options } = {}) {
      const env = { DATABASE_URL: databaseUrl, DICTATION_THREADS: '1', ...options.env }
      const server = await startServer({ ...options, env, dataFolder: dataFolder ?? (await folder()) })
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
