// A second server, or a script that needs a stopped one, on the folder of a server that runs: refused, although the files
// of its lock were removed.

import { expect, setDefaultTimeout, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { createTestFolder, databaseKind } from '../support/database.ts'
import { startServer } from '../support/server.ts'
import { until } from '../support/until.ts'

setDefaultTimeout(240_000)

const embedded = test.skipIf(databaseKind === 'external' || process.platform === 'win32')

async function run(script: string, dataFolder: string) {
  const child = Bun.spawn([process.execPath, resolve(import.meta.dir, '../..', script)], {
    ...{ env: { ...process.env, PORT: '0', DICTATION_DATA_DIR: dataFolder }, stdout: 'pipe', stderr: 'pipe' },
  })
  const texts = [child.stdout, child.stderr].map((stream) => new Response(stream).text())
  return { code: await child.exited, text: (await Promise.all(texts)).join('') }
}

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
  for (const script of ['src/main.ts', 'scripts/verify.ts', 'scripts/rebuild.ts']) {
    for (const file of lockFiles) await rm(file, { force: true })
    const { code, text } = await run(script, dataFolder)
    expect([script, code === 0, text]).toEqual([script, false, expect.stringContaining('is held by')])
  }
  await until(() => lockFiles.every((file) => existsSync(file)), { timeoutMs: 60_000 })
  expect(server.log().filter(({ msg }) => String(msg).includes('instance.lock was removed'))).not.toEqual([])
  expect(await add('after')).toBe(201)
  const listed = (await (await fetch(`${server.url}/dictionary`)).json()) as { total: number }
  expect(listed.total).toBe(2)
})
