// A path as the file system has it: text, or bytes if it is not UTF-8, as in names from old archives and other systems.

import { isUtf8 } from 'node:buffer'
import { join, sep } from 'node:path'

export type FilePath = string | Buffer<ArrayBuffer>

/** With replacement characters if a name is not UTF-8. */
export const textOfPath = (path: FilePath): string => String(path)

/** For display on one line: a name may contain line breaks and terminal control characters. */
export const shownName = (name: string): string => name.replace(/\p{Cc}/gu, '\uFFFD')

export const pathIn = (folder: FilePath, name: Buffer): FilePath =>
  typeof folder === 'string' && isUtf8(name)
    ? join(folder, name.toString())
    : Buffer.concat([Buffer.from(folder), Buffer.from(sep), name])

/** Distinguishes paths that look the same. */
export const keyOfPath = (path: FilePath): string =>
  typeof path === 'string' ? path : `\0${path.toString('latin1')}`

export const fileAt = (path: FilePath): Bun.BunFile =>
  typeof path === 'string' ? Bun.file(path) : Bun.file(path)
