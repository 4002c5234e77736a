// The migrations are all that the tables in db/ ask for: drizzle-kit finds nothing to add to a copy of them.
// What it cannot know of (storage, triggers) is written by hand into them, and tested by what it does.

import { expect, test } from 'bun:test'
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { toolPath } from '../support/tools.ts'

const root = resolve(import.meta.dir, '../..')
const tool = toolPath('drizzle-kit')

test.skipIf(tool === null)('a change of the tables stands in a migration', async () => {
  const copy = await mkdtemp(join(tmpdir(), 'dictation-migrations-'))
  // Each file system lists in an order of its own.
  const filesOf = async (folder: string) => (await readdir(folder)).toSorted()
  await cp(join(root, 'db/migrations'), copy, { recursive: true })
  // It takes an absolute path for one below the folder it runs in.
  const options = ['--dialect', 'postgresql', '--schema', 'db/*schema.ts', '--out', relative(root, copy)]
  const child = Bun.spawnSync(['node', join(tool!, 'bin.cjs'), 'generate', ...options], { cwd: root })
  expect(child.stdout.toString()).toContain('nothing to migrate')
  expect(await filesOf(copy)).toEqual(await filesOf(join(root, 'db/migrations')))
  await rm(copy, { recursive: true })
})
