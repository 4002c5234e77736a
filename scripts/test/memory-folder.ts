// Where the tests' own folders may be so that no disk is kept busy by them: a file system in memory, where there is one.
// A hundred servers bring 40 MB of database each, which is gone a moment later. Linux only.

import { readFileSync } from 'node:fs'
import { access, constants, statfs } from 'node:fs/promises'
import { freemem } from 'node:os'

const FOLDER = '/dev/shm'
/** What is in there at once is some 300 MB; there must be room for that, for the servers and for who else works here. */
const LEAST_FREE_BYTES = 6 * 1024 ** 3

/** Null where there is none, where too little is free, or where nothing in it may be run, as some containers have it. */
export async function memoryFolder(): Promise<string | null> {
  if (process.platform !== 'linux') return null
  try {
    if (!isRunnable(readFileSync('/proc/mounts', 'utf8'))) return null
    await access(FOLDER, constants.W_OK | constants.X_OK)
    const { bavail, bsize } = await statfs(FOLDER)
    return Math.min(bavail * bsize, freemem()) >= LEAST_FREE_BYTES ? FOLDER : null
  } catch {
    return null
  }
}

/**
 * Whether programs may be run in it.
 * @param mounts as /proc/mounts has them; the last that is mounted somewhere is what is seen there
 */
export function isRunnable(mounts: string): boolean {
  const [, , kind, options] =
    mounts
      .split('\n')
      .map((line) => line.split(' '))
      .findLast(([, where]) => where === FOLDER) ?? []
  return kind === 'tmpfs' && !options!.split(',').includes('noexec')
}
