// The migrations match the tables in db/: drizzle-kit finds nothing to add to a copy of them.
// Storage options and triggers, which it does not know, are written by hand and tested by their effect.

import { expect, test } from 'bun:test'
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { toolPath } from '../support/tools.ts'

const root = resolve(import.meta.dir, '../..')
const tool = toolPath('drizzle-kit')

test.skipIf(tool === null)('has a migration for every change of the tables', async () => {
  const copy = await mkdtemp(join(tmpdir(), 'dictation-migrations-'))
  // The order of a folder listing depends on the file system.
  const filesOf = async (folder: string) => (await readdir(folder)).toSorted()
  await cp(join(root, 'db/migrations'), copy, { recursive: true })
  // It treats an absolute path as relative to its working folder.
  const options = ['--dialect', 'postgresql', '--schema', 'db/*schema.ts', '--out', relative(root, copy)]
  const child = Bun.spawnSync(['node', join(tool!, 'bin.cjs'), 'generate', ...options], { cwd: root })
  expect(child.stdout.toString()).toContain('nothing to migrate')
  expect(await filesOf(copy)).toEqual(await filesOf(join(root, 'db/migrations')))
  await rm(copy, { recursive: true })
})
