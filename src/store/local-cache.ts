// The local files of a shared store: recordings that are read or made here. None of them is the only copy.

import { copyFile, link, mkdir, rename, rm, stat, utimes } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { nullIfMissing } from '../lib/os-errors.ts'
import { newId } from '../lib/uuid.ts'
import { listFiles } from './data-folder.ts'

/** A recording that was requested this recently may be about to be decoded or played; it stays above the limit. */
const IN_USE_MS = 15 * 60_000

export const noteUse = (file: string): Promise<void> => {
  const now = new Date()
  return utimes(file, now, now)
}

/** Fills a file of the cache; it appears under its name only when it is complete. */
export async function fill(file: string, write: (unfinished: string) => Promise<void>): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  const unfinished = `${file}.${newId(new Date())}`
  try {
    await write(unfinished)
    await rename(unfinished, file)
  } catch (error) {
    await rm(unfinished, { force: true })
    throw error
  }
}

/** A second name for the same file; a copy where the file system has no such names. */
export const linkOrCopy = (from: string, to: string): Promise<void> =>
  link(from, to).catch(() => copyFile(from, to))

type Limits = { maxBytes: number; now?: number }

/** Removes the files that were used longest ago until the rest is below the limit. */
export async function sweepCache(folder: string, { maxBytes, now = Date.now() }: Limits): Promise<void> {
  const files: { file: string; bytes: number; usedAt: number }[] = []
  for await (const path of listFiles(folder, '')) {
    const file = join(folder, path)
    const found = await stat(file).catch(nullIfMissing)
    if (found !== null) files.push({ file, bytes: found.size, usedAt: found.mtimeMs })
  }
  let bytes = files.reduce((sum, one) => sum + one.bytes, 0)
  for (const one of files.sort((a, b) => a.usedAt - b.usedAt)) {
    if (bytes <= maxBytes || now - one.usedAt < IN_USE_MS) return
    await rm(one.file, { force: true })
    bytes -= one.bytes
  }
}
