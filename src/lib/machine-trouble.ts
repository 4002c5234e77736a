// Which errors say that the machine refuses something, and that nothing is wrong with us: files that can be neither read nor
// written, and handles that are used up, for a while; and a size that it lets no file have. A full disk is disk-space.ts.

import { closeSync, openSync } from 'node:fs'
import { devNull } from 'node:os'

export type MachineTrouble = 'files' | 'handles' | 'size'

/** The operating system's words, and Postgres's for the same. */
const TROUBLES: Record<string, MachineTrouble> = {
  EROFS: 'files',
  EACCES: 'files',
  EPERM: 'files',
  EIO: 'files',
  ENXIO: 'files',
  ENODEV: 'files',
  ESTALE: 'files',
  '42501': 'files',
  EMFILE: 'handles',
  ENFILE: 'handles',
  '53000': 'handles',
  EFBIG: 'size',
}

export const machineTrouble = (error: unknown): MachineTrouble | null =>
  error instanceof Error && 'code' in error ? (TROUBLES[String(error.code)] ?? null) : null

/** For an upload with its record, some files of the database and the pipes of a process that has to be started. */
const SPARE_HANDLES = 32

/**
 * Whether there are handles for one more piece of work. Tried, since no system tells how many are left to a process and
 * to the machine: it takes some hundredths of a millisecond.
 */
export function hasSpareHandles(): boolean {
  const tried: number[] = []
  try {
    while (tried.length < SPARE_HANDLES) tried.push(openSync(devNull, 'r'))
    return true
  } catch (error) {
    if (machineTrouble(error) === 'handles') return false
    throw error
  } finally {
    for (const handle of tried) closeSync(handle)
  }
}
