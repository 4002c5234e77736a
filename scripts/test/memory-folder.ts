// Finds a file system in memory for the tests' temporary folders, so that they do not load the disk: each of a hundred
// servers copies a database of 40 MB, which is deleted soon after. Linux only.

import { readFileSync } from 'node:fs'
import { access, constants, statfs } from 'node:fs/promises'
import { freemem } from 'node:os'

const FOLDER = '/dev/shm'
/** The tests use some 300 MB at a time; the rest is for the servers and other programs. */
const MIN_FREE_BYTES = 6 * 1024 ** 3

/** Null if there is none, if too little is free, or if it is mounted noexec, as in some containers. */
export async function memoryFolder(): Promise<string | null> {
  if (process.platform !== 'linux') return null
  try {
    if (!isRunnable(readFileSync('/proc/mounts', 'utf8'))) return null
    await access(FOLDER, constants.W_OK | constants.X_OK)
    const { bavail, bsize } = await statfs(FOLDER)
    return Math.min(bavail * bsize, freemem()) >= MIN_FREE_BYTES ? FOLDER : null
  } catch {
    return null
  }
}

/**
 * Whether programs may be executed in it.
 * @param mounts in the format of /proc/mounts; the last mount of a path is the effective one
 */
export function isRunnable(mounts: string): boolean {
  const [, , kind, options] =
    mounts
      .split('\n')
      .map((line) => line.split(' '))
      .findLast(([, where]) => where === FOLDER) ?? []
  return kind === 'tmpfs' && !options!.split(',').includes('noexec')
}
