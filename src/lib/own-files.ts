// Where this program's own files are: in the checkout, or inside the executable that `npm run build` makes.

import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The root of the files inside an executable. They can be read, listed and stat-ed, but not opened. */
const INSIDE = /^(?:\/\$bunfs|[A-Z]:[\\/]~BUN)[\\/]root/.exec(import.meta.dir)?.[0] ?? null

export const IN_EXECUTABLE = INSIDE !== null

/** Whether a file is inside the executable. */
export const isInside = (path: string): boolean => INSIDE !== null && path.startsWith(INSIDE)

const ROOT = INSIDE ?? resolve(import.meta.dir, '../..')

const PACKAGES = 'node_modules/'

/**
 * @param path from the project's root, with `/`. After `node_modules/` it is a specifier, because a package may be
 * installed beside this one, and may export a file under another name.
 */
export function ownFile(path: string): string {
  if (IN_EXECUTABLE || !path.startsWith(PACKAGES)) return join(ROOT, path)
  return fileURLToPath(import.meta.resolve(path.slice(PACKAGES.length)))
}

/** Reads a file that is compressed inside an executable (scripts/build/stage.ts). */
export const readOwnFile = (path: string): Promise<Uint8Array<ArrayBuffer>> =>
  IN_EXECUTABLE ? readCompressed(`${path}.zst`) : Bun.file(ownFile(path)).bytes()

export const readOwnFileSync = (path: string): Uint8Array<ArrayBuffer> =>
  IN_EXECUTABLE
    ? (Bun.zstdDecompressSync(readFileSync(ownFile(`${path}.zst`))) as Buffer<ArrayBuffer>)
    : readFileSync(ownFile(path))

/** @param path of a Zstandard file */
export const readCompressed = async (path: string): Promise<Uint8Array<ArrayBuffer>> =>
  (await Bun.zstdDecompress(await Bun.file(ownFile(path)).bytes())) as Buffer<ArrayBuffer>
