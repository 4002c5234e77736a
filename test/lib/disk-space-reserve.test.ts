import { expect, test } from 'bun:test'
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createDiskReserve, withDiskReserve } from '../../src/lib/disk-space.ts'

const inFolder = async (work: (folder: string) => Promise<void>) => {
  const folder = await mkdtemp(join(tmpdir(), 'dictation-ballast-'))
  try {
    await work(folder)
  } finally {
    await rm(folder, { recursive: true })
  }
}
const full = () => Object.assign(new Error('no space'), { code: 'ENOSPC' })

test('frees its space on a full disk and runs the work once more', () =>
  inFolder(async (folder) => {
    await createDiskReserve(folder)
    const { size, mode } = await stat(join(folder, 'ballast'))
    expect([size, mode & 0o777]).toEqual([32 * 1024 ** 2, 0o600])
    const seen: string[][] = []
    const done = await withDiskReserve(folder, async () => {
      seen.push(await readdir(folder))
      if (seen.length === 1) throw full()
      return 'done'
    })
    expect([done, seen]).toEqual(['done', [['ballast'], []]])
  }))

test('recreates an incomplete reserve', () =>
  inFolder(async (folder) => {
    await Bun.write(join(folder, 'ballast'), 'short')
    await createDiskReserve(folder)
    expect((await stat(join(folder, 'ballast'))).size).toBe(32 * 1024 ** 2)
  }))

test('passes on a disk that stays full and any other error', () =>
  inFolder(async (folder) => {
    await createDiskReserve(folder)
    const other = () => Promise.reject(new Error('something else'))
    await expect(withDiskReserve(folder, other)).rejects.toThrow('something else')
    expect(await readdir(folder)).toEqual(['ballast'])
    await expect(withDiskReserve(folder, () => Promise.reject(full()))).rejects.toThrow('no space')
  }))
