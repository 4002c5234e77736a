// A temporary Postgres cluster on a free port. As a command, `bun test/support/postgres.ts <command …>` runs that
// command with TEST_DATABASE_URL set to it.

import { chmod, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'
import { childrenOf } from './children.ts'
import { until } from './until.ts'

export type RunningPostgres = {
  url: string
  /** Ends all of its processes, after a checkpoint or at once, until `up`. */
  down(how: 'checkpoint' | 'kill'): Promise<void>
  up(): Promise<void>
  stop(): Promise<void>
}

export const isPostgresInstalled = async (): Promise<boolean> => (await findBinaries()) !== null

type Options = {
  /** without it, it is faster, and survives only the death of its processes */
  fsync?: boolean
  /** such as `max_connections=20` */
  settings?: readonly string[]
}

/** Null if Postgres is not installed. */
export async function startPostgres({
  fsync = false,
  settings: more = [],
}: Options = {}): Promise<RunningPostgres | null> {
  const binaries = await findBinaries()
  if (binaries === null) return null
  const folder = await mkdtemp(join(tmpdir(), 'dictation-postgres-'))
  // Postgres refuses to run as root, so under root it runs as an ordinary user, who needs the folder.
  const asUser = process.getuid?.() === 0 ? ['runuser', '-u', ordinaryUser(), '--'] : []
  if (asUser.length > 0) {
    await chmod(folder, 0o711)
    Bun.spawnSync(['install', '-d', '-o', ordinaryUser(), '-m', '0700', join(folder, 'data')])
  }
  const data = join(folder, 'data')
  const made = Bun.spawnSync(
    [...asUser, join(binaries, 'initdb'), '-D', data, '-U', 'test', '-A', 'trust', '-E', 'UTF8', '-N'],
    { cwd: '/', stdout: 'pipe', stderr: 'pipe' },
  )
  if (made.exitCode !== 0) throw new Error(`initdb failed: ${made.stderr.toString()}`)

  const port = await freePort()
  const settings = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', `fsync=${fsync}`, ...more]
  const start = () =>
    Bun.spawn(
      [
        ...asUser,
        ...[join(binaries, 'postgres'), '-D', data, '-p', String(port)],
        ...settings.flatMap((setting) => ['-c', setting]),
      ],
      { cwd: '/', stdout: 'ignore', stderr: 'ignore' },
    )
  const url = `postgres://test@127.0.0.1:${port}/postgres`
  let server = start()
  const untilUp = () => until(() => answers(url), { what: 'Postgres to answer' })
  const postmaster = async () => Number((await readFile(join(data, 'postmaster.pid'), 'utf8')).split('\n')[0])
  const stop = async () => {
    Bun.spawnSync([...asUser, join(binaries, 'pg_ctl'), 'stop', '-D', data, '-m', 'fast'], { cwd: '/' })
    await server.exited
  }
  await untilUp()
  return {
    url,
    async down(how) {
      if (how === 'checkpoint') return stop()
      const pid = await postmaster()
      // First, so that it starts no others.
      for (const one of [pid, ...childrenOf(pid)]) process.kill(one, 'SIGKILL')
      await server.exited
    },
    async up() {
      // It refuses to start while processes of the killed one are left.
      await until(async () => {
        if (server.exitCode !== null || server.signalCode !== null) server = start()
        return answers(url)
      })
    },
    async stop() {
      await stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** On the PATH, or where Debian installs them. */
async function findBinaries(): Promise<string | null> {
  const initdb = Bun.which('initdb')
  if (initdb !== null && Bun.which('postgres') !== null && Bun.which('pg_ctl') !== null)
    return join(initdb, '..')
  const versions = await readdir('/usr/lib/postgresql').catch(() => [])
  const newest = versions.sort((one, other) => Number(other) - Number(one))[0]
  return newest === undefined ? null : join('/usr/lib/postgresql', newest, 'bin')
}

const ordinaryUser = (): string =>
  Bun.spawnSync(['id', '-u', 'postgres'], { stderr: 'ignore' }).exitCode === 0 ? 'postgres' : 'nobody'

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  if (address === null || typeof address === 'string') throw new Error('no free port')
  return address.port
}

async function answers(url: string): Promise<boolean> {
  const sql = postgres(url, { max: 1, connect_timeout: 2, onnotice: () => {} })
  try {
    await sql`select 1`
    return true
  } catch {
    return false
  } finally {
    await sql.end({ timeout: 1 })
  }
}

if (import.meta.main) {
  const running = await startPostgres()
  if (running === null) {
    console.error('No Postgres is installed here (Debian: apt-get install postgresql).')
    process.exit(1)
  }
  const command = Bun.spawn(process.argv.slice(2), {
    stdio: ['inherit', 'inherit', 'inherit'],
    env: { ...process.env, TEST_DATABASE_URL: running.url },
  })
  const code = await command.exited
  await running.stop()
  process.exit(code)
}
