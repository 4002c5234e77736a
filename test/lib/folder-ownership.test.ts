// Changing the owner of a folder takes root.

import { expect, test } from 'bun:test'
import { chmod, chown, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ownershipProblem } from '../../src/lib/folder-ownership.ts'
import { NOBODY } from '../support/users.ts'

async function folder({ mode, isEmpty = false }: { mode: number; isEmpty?: boolean }) {
  const path = await mkdtemp(join(tmpdir(), 'dictation-own-'))
  if (!isEmpty) await writeFile(join(path, 'settings.json'), '{}')
  await chmod(path, mode)
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) }
}

test.each([0o777, 0o775, 0o757, 0o1777])('rejects a non-empty folder with mode %o', async (mode) => {
  await using at = await folder({ mode })
  expect(await ownershipProblem(at.path)).toContain(`(mode ${mode.toString(8)}). Check what is in it`)
})

test.each([0o700, 0o755, 0o500])('accepts a folder with mode %o', async (mode) => {
  await using at = await folder({ mode })
  expect(await ownershipProblem(at.path)).toBeNull()
})

test('accepts an empty folder and makes it private, unless it is shared (sticky)', async () => {
  await using at = await folder({ mode: 0o777, isEmpty: true })
  expect([await ownershipProblem(at.path), (await stat(at.path)).mode & 0o777]).toEqual([null, 0o700])
  await using shared = await folder({ mode: 0o1777, isEmpty: true })
  expect(await ownershipProblem(shared.path)).toContain('may write to it')
})

test('accepts a folder that does not exist yet', async () => {
  expect(await ownershipProblem(join(tmpdir(), crypto.randomUUID()))).toBeNull()
})

test.skipIf(process.geteuid?.() !== 0)(
  'rejects a folder of another user, even if root runs the server',
  async () => {
    for (const isEmpty of [true, false]) {
      await using at = await folder({ mode: 0o700, isEmpty })
      await chown(at.path, NOBODY, NOBODY)
      expect(await ownershipProblem(at.path)).toContain(`it belongs to user ${NOBODY}`)
    }
  },
)
