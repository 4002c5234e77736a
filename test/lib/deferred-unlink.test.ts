import { expect, test } from 'bun:test'
import { existsSync, readdirSync, readlinkSync, renameSync, unlinkSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { withDeferredFree } from '../../src/lib/deferred-unlink.ts'
import { until } from '../support/until.ts'

async function folder() {
  const path = await mkdtemp(join(tmpdir(), 'dictation-free-'))
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) }
}

const openFiles = (): string[] =>
  readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      return [readlinkSync(`/proc/self/fd/${fd}`)]
    } catch {
      return []
    }
  })

test('a removed or replaced file disappears at once', async () => {
  await using at = await folder()
  const [path, other] = [join(at.path, 'one'), join(at.path, 'other')]
  await writeFile(path, 'old')
  await writeFile(other, 'new')
  withDeferredFree(path, () => renameSync(other, path))
  expect(await readFile(path, 'utf8')).toBe('new')
  withDeferredFree(path, () => unlinkSync(path))
  expect(existsSync(path)).toBe(false)
})

test('replaces a file that does not exist', async () => {
  await using at = await folder()
  const [path, other] = [join(at.path, 'one'), join(at.path, 'other')]
  await writeFile(other, 'new')
  withDeferredFree(path, () => renameSync(other, path))
  expect(await readFile(path, 'utf8')).toBe('new')
})

test.skipIf(!existsSync('/proc/self/fd'))('leaves no file open, even if the removal fails', async () => {
  await using at = await folder()
  const path = join(at.path, 'one')
  await writeFile(path, 'kept')
  const refuse = () => {
    throw new Error('refused')
  }
  expect(() => withDeferredFree(path, refuse)).toThrow('refused')
  expect(await readFile(path, 'utf8')).toBe('kept')
  withDeferredFree(path, () => unlinkSync(path))
  await until(() => !openFiles().some((file) => file.startsWith(at.path)))
})
