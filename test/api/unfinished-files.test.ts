// After a kill, the next start removes the server's unfinished files and leaves other files alone.

import { expect, setDefaultTimeout, test } from 'bun:test'
import { existsSync, readdirSync } from 'node:fs'
import { mkdir, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createTestFolder, databaseKind } from '../support/database.ts'
import { startServer } from '../support/server.ts'

setDefaultTimeout(240_000)

const embedded = test.skipIf(databaseKind === 'external')

embedded('a start removes what was being written when the server died, and nothing else', async () => {
  await using folder = await createTestFolder()
  const { dataFolder } = folder
  const env = { DICTATION_TOKEN: 'auto' }
  const first = await startServer({ dataFolder, env })
  await first.stop()
  const database = readdirSync(dataFolder).find((name) => name.startsWith('postgres-'))!
  const left = [
    'library.json.part',
    'token.part',
    'models/.checked-models.json.part',
    `${database}/as-left.json.part`,
    'captures/2026-01/0.json.part',
    'inbox/0.part',
  ]
  const others = ['holiday.mkv.part', 'models/ggml-large.bin.part', 'models/.being-written.json.part']
  for (const name of [...left, ...others]) {
    const path = join(dataFolder, name)
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, 'half of')
    const anHourAgo = new Date(Date.now() - 3_600_000)
    if (!name.includes('being-written')) await utimes(path, anHourAgo, anHourAgo)
  }
  await using again = await startServer({ dataFolder, env })
  expect(again.log().filter(({ level }) => level === 'error')).toEqual([])
  expect(left.filter((name) => existsSync(join(dataFolder, name)))).toEqual([])
  expect(others.filter((name) => existsSync(join(dataFolder, name)))).toEqual(others)
})
