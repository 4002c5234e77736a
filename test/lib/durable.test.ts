// Files that survive: whole or not at all, private, and failures passed on.

import { expect, test } from 'bun:test'
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeFolder, removeDurably, syncFolder, writeFileDurably } from '../../src/lib/durable.ts'

async function folder() {
  const path = await mkdtemp(join(tmpdir(), 'dictation-durable-'))
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) }
}

const modeOf = async (path: string) => (await stat(path)).mode & 0o777

test('a file is written whole, replaced whole, and nothing is left beside it', async () => {
  await using at = await folder()
  const path = join(at.path, 'one.json')
  await writeFileDurably(path, 'first')
  await writeFileDurably(path, new TextEncoder().encode('second'))
  expect(await readFile(path, 'utf8')).toBe('second')
  expect(await readdir(at.path)).toEqual(['one.json'])
})

test('files are for this user alone, whatever the umask and whatever lay there before', async () => {
  await using at = await folder()
  const before = process.umask(0)
  try {
    const path = join(at.path, 'deep', 'er', 'one.json')
    await makeFolder(join(at.path, 'deep', 'er'))
    await writeFile(`${path}.part`, 'left over', { mode: 0o666 })
    await chmod(`${path}.part`, 0o666)
    await writeFileDurably(path, 'mine')
    expect(await modeOf(path)).toBe(0o600)
    expect(await modeOf(join(at.path, 'deep'))).toBe(0o700)
    expect(await modeOf(join(at.path, 'deep', 'er'))).toBe(0o700)
  } finally {
    process.umask(before)
  }
})

test('a folder that is there already is left as it is', async () => {
  await using at = await folder()
  await makeFolder(at.path)
  await makeFolder(join(at.path, 'a'))
  await makeFolder(join(at.path, 'a'))
  expect(await readdir(at.path)).toEqual(['a'])
})

test('a failed write leaves the old content and no second file', async () => {
  await using at = await folder()
  const path = join(at.path, 'taken')
  await mkdir(`${path}.part`)
  await writeFile(path, 'old')
  await expect(writeFileDurably(path, 'new')).rejects.toMatchObject({ code: 'EISDIR' })
  expect(await readFile(path, 'utf8')).toBe('old')
})

test('the errors of the file system pass as they are', async () => {
  const nowhere = join(tmpdir(), crypto.randomUUID(), 'x')
  await expect(writeFileDurably(nowhere, 'x')).rejects.toMatchObject({ code: 'ENOENT' })
  await expect(syncFolder(nowhere)).rejects.toMatchObject({ code: 'ENOENT' })
})

test('removing what is not there is no failure', async () => {
  await using at = await folder()
  const path = join(at.path, 'x')
  await writeFileDurably(path, 'x')
  await removeDurably(path)
  await removeDurably(path)
  expect(await readdir(at.path)).toEqual([])
})
