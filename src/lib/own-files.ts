// Where this program's own files are: in the checkout, or inside the executable that `npm run build` makes.

import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The root of the files inside an executable. They can be read, listed and stat-ed, but not opened. */
const INSIDE = /^(?:\/\$bunfs|[A-Z]:[\\/]~BUN)[\\/]root/.exec(import.meta.dir)?.[0] ?? null

export const IN_EXECUTABLE = INSIDE !== null

/** Whether a file is inside the executable. */
export const isInside = (path: string): boolean => INSIDE !== null && path.startsWith(INSIDE)

/** Where the bytes of a file are: a file inside may be compressed. */
export function storedAt(path: string): { path: string; isCompressed: boolean } {
  const isCompressed = isInside(path) && !existsSync(path)
  return { path: isCompressed ? `${path}${COMPRESSED}` : path, isCompressed }
}

/** A whole file inside. */
export function readInside(path: string): Uint8Array<ArrayBuffer> {
  const stored = storedAt(path)
  const bytes = readFileSync(stored.path)
  return stored.isCompressed ? (Bun.zstdDecompressSync(bytes) as Buffer<ArrayBuffer>) : bytes
}

const ROOT = INSIDE ?? resolve(import.meta.dir, '../..')

const PACKAGES = 'node_modules/'
/** The suffix of a Zstandard file (scripts/build/stage.ts). */
const COMPRESSED = '.zst'

/**
 * @param path from the project's root, with `/`. After `node_modules/` it is a specifier, because a package may be
 * installed beside this one, and may export a file under another name.
 */
export function ownFile(path: string): string {
  if (IN_EXECUTABLE || !path.startsWith(PACKAGES)) return join(ROOT, path)
  return fileURLToPath(import.meta.resolve(path.slice(PACKAGES.length)))
}

/** Reads a file that is compressed inside an executable. */
export const readOwnFile = (path: string): Promise<Uint8Array<ArrayBuffer>> =>
  IN_EXECUTABLE ? readCompressed(`${path}${COMPRESSED}`) : Bun.file(ownFile(path)).bytes()

export const readOwnFileSync = (path: string): Uint8Array<ArrayBuffer> =>
  IN_EXECUTABLE ? readInside(ownFile(path)) : readFileSync(ownFile(path))

/** @param path of a Zstandard file */
export const readCompressed = async (path: string): Promise<Uint8Array<ArrayBuffer>> =>
  (await Bun.zstdDecompress(await Bun.file(ownFile(path)).bytes())) as Buffer<ArrayBuffer>
