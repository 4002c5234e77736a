// A shortage at the start is not damage: the database stays unchanged, and one line gives the remedy.
// The real server with little memory, few open files, or without permissions; only Linux can be limited so.

import { expect, test } from 'bun:test'
import { chmod, mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { databaseFolder } from '../support/damage.ts'
import { createTestFolder, databaseKind } from '../support/database.ts'
import { startServer } from '../support/server.ts'

const NOBODY = 65_534
const has = (program: string) => Bun.which(program) !== null
const cannot = databaseKind === 'external' || process.platform !== 'linux'

async function expectLeftAlone(dataFolder: string, within: string[], line: RegExp): Promise<void> {
  const { ino } = await stat(databaseFolder(dataFolder))
  await expect(startServer({ dataFolder, within })).rejects.toThrow(line)
  expect((await readdir(dataFolder)).filter((name) => /unusable/.test(name))).toEqual([])
  expect((await stat(databaseFolder(dataFolder))).ino).toBe(ino)
}

test.skipIf(cannot || !has('prlimit'))(
  'does not treat a lack of memory or of open files as damage',
  async () => {
    await using folder = await createTestFolder()
    const { dataFolder } = folder
    // One limit that is always too low, and one that allows part of the start.
    // If Postgres exits before it reports the cause, memory is the first remedy.
    for (const bytes of [450_000_000, 550_000_000])
      await expectLeftAlone(
        dataFolder,
        ['prlimit', `--data=${bytes}`],
        /(more|what it lacks:) memory,.*start the server again/,
      )
    for (const handles of [30, 60])
      await expectLeftAlone(
        dataFolder,
        ['prlimit', `--nofile=${handles}`],
        /more open files.*start the server again/,
      )
    await using server = await startServer({ dataFolder })
    expect((await fetch(`${server.url}/captures`)).status).toBe(200)
  },
  240_000,
)

test.skipIf(cannot || !has('setpriv') || process.getuid?.() !== 0)(
  'does not treat files that the user may not read as damage',
  async () => {
    await using folder = await createTestFolder()
    // Its modules must be readable, its caches writable, for that user.
    const home = await mkdtemp(join(tmpdir(), 'dictation-nobody-'))
    try {
      await Bun.$`chown -R ${NOBODY} ${folder.dataFolder} ${home}`.quiet()
      const within = ['setpriv', `--reuid=${NOBODY}`, '--clear-groups', 'env', `HOME=${home}`]
      const catalogue = join(databaseFolder(folder.dataFolder), 'base/5/1259')
      await chmod(catalogue, 0)
      await expectLeftAlone(folder.dataFolder, within, /Let this user read and write.*start the server again/)
      await chmod(catalogue, 0o600)
      await using server = await startServer({ dataFolder: folder.dataFolder, within })
      expect((await fetch(`${server.url}/captures`)).status).toBe(200)
    } finally {
      await rm(home, { recursive: true, force: true })
    }
  },
  240_000,
)
