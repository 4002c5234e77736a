// The path of a file as the system has it: text, or its bytes where they are no UTF-8, as names from old archives and
// other systems are. What such a file holds is for others.

import { isUtf8 } from 'node:buffer'
import { join, sep } from 'node:path'

export type FilePath = string | Buffer<ArrayBuffer>

/** With replacement characters where a name is no UTF-8. */
export const textOf = (path: FilePath): string => String(path)

/** For a line that a person reads: a name may hold line breaks, and what a terminal takes for commands. */
export const shownName = (name: string): string => name.replace(/\p{Cc}/gu, '\uFFFD')

export const pathIn = (folder: FilePath, name: Buffer): FilePath =>
  typeof folder === 'string' && isUtf8(name)
    ? join(folder, name.toString())
    : Buffer.concat([Buffer.from(folder), Buffer.from(sep), name])

/** Tells paths apart that look the same. */
export const keyOf = (path: FilePath): string =>
  typeof path === 'string' ? path : `\0${path.toString('latin1')}`

export const fileAt = (path: FilePath): Bun.BunFile =>
  typeof path === 'string' ? Bun.file(path) : Bun.file(path)
