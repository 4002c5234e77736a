// A lock on the folder itself (flock(2)), which a user cannot remove as they can remove a file in it. Linux and macOS,
// through the C library. lock.ts decides when to use it and what to fall back to.

import { dlopen, type Library, read } from 'bun:ffi'
import { closeSync, openSync } from 'node:fs'
import { once } from './once.ts'

const ERRNO = process.platform === 'darwin' ? '__error' : '__errno_location'
const LIBRARIES =
  process.platform === 'darwin'
    ? ['libSystem.B.dylib']
    : ['libc.so.6', `libc.musl-${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}.so.1`]
const FUNCTIONS = {
  flock: { args: ['i32', 'i32'], returns: 'i32' },
  [ERRNO]: { args: [], returns: 'ptr' },
} as const

const LOCK_EX_NB = 2 | 4
const EWOULDBLOCK = process.platform === 'darwin' ? 35 : 11

export type FolderLock = { release(): void }

/** Null if the system or the file system does not support such a lock. The kernel releases it when the process ends. */
export function lockFolder(folder: string): FolderLock | 'held' | null {
  const libc = library()
  if (libc === null) return null
  const opened = openSync(folder, 'r')
  if (libc.flock(opened, LOCK_EX_NB) === 0) return { release: once(() => closeSync(opened)) }
  const isHeld = read.i32(libc[ERRNO]!()!, 0) === EWOULDBLOCK
  closeSync(opened)
  return isHeld ? 'held' : null
}

const library = once((): Library<typeof FUNCTIONS>['symbols'] | null => {
  if (process.platform === 'win32') return null
  for (const name of LIBRARIES) {
    try {
      return dlopen(name, FUNCTIONS).symbols
    } catch {
      // Another C library is installed; try the next name.
    }
  }
  return null
})
