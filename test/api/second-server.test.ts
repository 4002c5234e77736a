// A second server, or a script that requires a stopped one, on the folder of a running server: refused even if the lock files
// were removed.

import { expect, setDefaultTimeout, test } from 'bun:test'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { takeInstanceLock } from '../../src/lib/lock.ts'
import { createTestFolder, databaseKind } from '../support/database.ts'
import { recordingsIn } from '../support/inbox.ts'
import { openLive } from '../support/live.ts'
import { startServer } from '../support/server.ts'
import { until } from '../support/until.ts'

setDefaultTimeout(240_000)

const embedded = test.skipIf(databaseKind === 'external' || process.platform === 'win32')

async function run([script, ...args]: string[], dataFolder: string) {
  const child = Bun.spawn([process.execPath, resolve(import.meta.dir, '../..', script!), ...args], {
    ...{ env: { ...process.env, PORT: '0', DICTATION_DATA_DIR: dataFolder }, stdout: 'pipe', stderr: 'pipe' },
  })
  const texts = [child.stdout, child.stderr].map((stream) => new Response(stream).text())
  return { code: await child.exited, text: (await Promise.all(texts)).join('') }
}

embedded('a server that lost its folder to another one ends without writing to the database', async () => {
  await using folder = await createTestFolder()
  const { dataFolder } = folder
  await using server = await startServer({ dataFolder })
  const live = await openLive(server.url, { query: { keep: 'true', language: 'en' } })
  await live.first('ready')
  live.send(new Uint8Array(64_000))
  await until(async () => (await recordingsIn(dataFolder)).length > 0, { timeoutMs: 60_000 })
  // Postgres writes it at every checkpoint, and therefore at every clean stop.
  const [database] = readdirSync(dataFolder).filter((name) => name.startsWith('postgres'))
  const control = join(dataFolder, database!, 'global/pg_control')
  const before = statSync(control).mtimeMs
  for (const file of ['instance.lock', 'instance.json']) await rm(join(dataFolder, file))
  // On a file system without folder locks, nothing else keeps the second server out.
  const other = await takeInstanceLock(dataFolder, { locksFolder: false, patienceMs: 0 })
  expect(other.ok).toBe(true)
  const isGone = () =>
    fetch(`${server.url}/health`).then(
      () => false,
      () => true,
    )
  await until(isGone, { timeoutMs: 60_000, what: 'the end of the server' })
  expect(await server.stop()).toBe(1)
  expect(statSync(control).mtimeMs).toBe(before)
  expect(existsSync(join(dataFolder, database!, 'as-left.json'))).toBe(false)
  expect(await recordingsIn(dataFolder)).toEqual([expect.stringMatching(/\.audio$/)])
  if (other.ok) other.value.release()
})

embedded('refuses the folder of a running server whose lock files were removed', async () => {
  await using folder = await createTestFolder()
  const { dataFolder } = folder
  await using server = await startServer({ dataFolder })
  const add = async (word: string) =>
    (
      await fetch(`${server.url}/dictionary`, {
        ...{ method: 'POST', headers: { 'content-type': 'application/json' } },
        body: JSON.stringify({ word }),
      })
    ).status
  expect(await add('before')).toBe(201)
  const lockFiles = ['instance.lock', 'instance.json'].map((name) => join(dataFolder, name))
  for (const command of [['src/main.ts'], ['src/cli/main.ts', 'verify'], ['src/cli/main.ts', 'rebuild']]) {
    for (const file of lockFiles) await rm(file, { force: true })
    const { code, text } = await run(command, dataFolder)
    expect([command, code === 0, text]).toEqual([command, false, expect.stringContaining('is held by')])
  }
  await until(() => lockFiles.every((file) => existsSync(file)), { timeoutMs: 60_000 })
  expect(server.log().filter(({ msg }) => String(msg).includes('instance.lock was removed'))).not.toEqual([])
  expect(await add('after')).toBe(201)
  const listed = (await (await fetch(`${server.url}/dictionary`)).json()) as { total: number }
  expect(listed.total).toBe(2)
})
