// Quarantined databases, as folders with any content.

import { expect, test } from 'bun:test'
import { chmod, mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { quarantine, removeQuarantined } from '../../db/quarantine.ts'

async function dataFolder() {
  const path = await mkdtemp(join(tmpdir(), 'dictation-aside-'))
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) }
}

async function quarantineOne(data: string, at: string): Promise<string> {
  const folder = join(data, 'postgres-18')
  await mkdir(folder)
  await chmod(folder, 0o755)
  await writeFile(join(folder, 'PG_VERSION'), at)
  return quarantine(folder, new Date(at))
}

test('keeps only the newest, for its owner, and changes nothing else', async () => {
  await using data = await dataFolder()
  const others = ['postgres-18.unusable-by-hand', 'postgres-17', 'captures']
  for (const name of others) await mkdir(join(data.path, name))
  await quarantineOne(data.path, '2026-03-01T10:00:00.000Z')
  // The one that was quarantined last, whatever the clock shows.
  const newest = await quarantineOne(data.path, '2026-02-01T10:00:00.000Z')
  expect((await readdir(data.path)).sort()).toEqual([...others, basename(newest)].sort())
  expect((await stat(newest)).mode & 0o777).toBe(0o700)
  expect(await readdir(newest)).toEqual(['PG_VERSION'])
})

test('removes it when it is old enough, or at once', async () => {
  await using data = await dataFolder()
  await quarantineOne(data.path, '2026-03-01T10:00:00.500Z')
  await removeQuarantined(data.path, new Date('2026-03-01T10:00:00.500Z'))
  expect(await readdir(data.path)).toHaveLength(1)
  await removeQuarantined(data.path, new Date('2026-03-01T10:00:00.501Z'))
  expect(await readdir(data.path)).toEqual([])
  await quarantineOne(data.path, '2026-03-01T10:00:00.500Z')
  await removeQuarantined(data.path)
  expect(await readdir(data.path)).toEqual([])
})
