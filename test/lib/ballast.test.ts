import { expect, test } from 'bun:test'
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { layBallast, withBallast } from '../../src/lib/ballast.ts'

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
    await layBallast(folder)
    const { size, mode } = await stat(join(folder, 'ballast'))
    expect([size, mode & 0o777]).toEqual([32 * 1024 ** 2, 0o600])
    const seen: string[][] = []
    const done = await withBallast(folder, async () => {
      seen.push(await readdir(folder))
      if (seen.length === 1) throw full()
      return 'done'
    })
    expect([done, seen]).toEqual(['done', [['ballast'], []]])
  }))

test('recreates an incomplete reserve', () =>
  inFolder(async (folder) => {
    await Bun.write(join(folder, 'ballast'), 'short')
    await layBallast(folder)
    expect((await stat(join(folder, 'ballast'))).size).toBe(32 * 1024 ** 2)
  }))

test('passes on a disk that stays full and any other error', () =>
  inFolder(async (folder) => {
    await layBallast(folder)
    const other = () => Promise.reject(new Error('something else'))
    await expect(withBallast(folder, other)).rejects.toThrow('something else')
    expect(await readdir(folder)).toEqual(['ballast'])
    await expect(withBallast(folder, () => Promise.reject(full()))).rejects.toThrow('no space')
  }))
