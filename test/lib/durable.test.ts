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

test('writes and replaces a file and leaves no temporary file', async () => {
  await using at = await folder()
  const path = join(at.path, 'one.json')
  await writeFileDurably(path, 'first')
  await writeFileDurably(path, new TextEncoder().encode('second'))
  expect(await readFile(path, 'utf8')).toBe('second')
  expect(await readdir(at.path)).toEqual(['one.json'])
})

test('creates private files, whatever the umask is and whatever existed before', async () => {
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

test('leaves an existing folder as it is', async () => {
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

test('passes on the errors of the file system', async () => {
  const nowhere = join(tmpdir(), crypto.randomUUID(), 'x')
  await expect(writeFileDurably(nowhere, 'x')).rejects.toMatchObject({ code: 'ENOENT' })
  await expect(syncFolder(nowhere)).rejects.toMatchObject({ code: 'ENOENT' })
})

test('does not fail if the file to remove is missing', async () => {
  await using at = await folder()
  const path = join(at.path, 'x')
  await writeFileDurably(path, 'x')
  await removeDurably(path)
  await removeDurably(path)
  expect(await readdir(at.path)).toEqual([])
})
