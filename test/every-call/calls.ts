// The system calls that access files, by their numbers on x86-64, and the tracer's messages.

type Call = { name: string; on: 'descriptor' | 'path' | 'path at' }

/** A rename is reported with its old path. */
export const CALLS: Record<number, Call> = {
  1: { name: 'write', on: 'descriptor' },
  2: { name: 'open', on: 'path' },
  18: { name: 'pwrite64', on: 'descriptor' },
  20: { name: 'writev', on: 'descriptor' },
  74: { name: 'fsync', on: 'descriptor' },
  75: { name: 'fdatasync', on: 'descriptor' },
  77: { name: 'ftruncate', on: 'descriptor' },
  82: { name: 'rename', on: 'path' },
  83: { name: 'mkdir', on: 'path' },
  84: { name: 'rmdir', on: 'path' },
  87: { name: 'unlink', on: 'path' },
  91: { name: 'fchmod', on: 'descriptor' },
  257: { name: 'openat', on: 'path at' },
  258: { name: 'mkdirat', on: 'path at' },
  263: { name: 'unlinkat', on: 'path at' },
  264: { name: 'renameat', on: 'path at' },
  285: { name: 'fallocate', on: 'descriptor' },
  316: { name: 'renameat2', on: 'path at' },
}

export const FAILURES = ['EIO', 'ENOSPC', 'SIGKILL'] as const
export type CallFailure = (typeof FAILURES)[number]

export type Touched = { call: string; path: string; isHit: boolean }
export type TracerMessage = Touched | { ready: true } | { failure: string }
