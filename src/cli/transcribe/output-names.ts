// Output file names for the texts of recordings: no two share a file on any file system, and every run chooses the same
// ones.

import { createHash } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { dirname, extname } from 'node:path'
import { type FilePath, keyOfPath, pathIn } from '../files/file-path.ts'
import { type FoundFile, isRecording } from '../files/recordings.ts'

/** How a file is named: like the recording without its extension, with it, or with a suffix of its own. */
type Level = 0 | 1 | 2

/** The limit of any file system, minus the suffix of temporary files. */
const MAX_NAME_BYTES = 245

/**
 * Names below the output folder, in the order of the recordings. @param isOthers whether another recording has the name
 */
export async function outputNames<File extends FoundFile>(
  recordings: File[],
  extension: string,
  isOthers: (name: string, file: File) => boolean = () => false,
): Promise<string[]> {
  const levels = await Promise.all(
    recordings.map(async (file): Promise<Level> => ((await hasTwin(file)) ? 1 : 0)),
  )
  for (;;) {
    const names = recordings.map((file, index) => nameAt(file, levels[index]!, extension))
    const alike = Map.groupBy(names.keys(), (index) => sameAs(names[index]!))
    const clashing = [...alike.values()].filter(
      (those) => those.length > 1 || isOthers(names[those[0]!]!, recordings[those[0]!]!),
    )
    const movable = clashing.flat().filter((index) => levels[index]! < 2)
    if (movable.length === 0) return names
    for (const index of movable) levels[index] = (levels[index]! + 1) as Level
  }
}

/** As case-insensitive file systems compare names. */
export const sameAs = (name: string): string => name.normalize('NFC').toLowerCase()

function nameAt({ name, path }: FoundFile, level: Level, extension: string): string {
  const parts = name.split('/')
  const whole = parts.pop()!
  const base = level === 0 ? stemOf(whole) : whole
  const isLong = Buffer.byteLength(base) + extension.length + 1 > MAX_NAME_BYTES
  const own = level === 2 || isLong ? `-${digestOf(path)}` : ''
  return [...parts, `${isLong ? clipped(base) : base}${own}.${extension}`].join('/')
}

const stemOf = (name: string): string => name.slice(0, name.length - extname(name).length)

const digestOf = (path: FilePath): string =>
  createHash('sha256').update(keyOfPath(path)).digest('hex').slice(0, 8)

const clipped = (name: string): string => {
  const characters = [...name]
  while (Buffer.byteLength(characters.join('')) > MAX_NAME_BYTES - 20) characters.length -= 8
  return characters.join('')
}

/** Whether another recording beside an explicitly named one would have the same name: a later run may include it. */
async function hasTwin({ path, isNamed }: FoundFile): Promise<boolean> {
  if (!isNamed) return false
  const [folder, own] = parted(path)
  const names = (await readdir(folder, { encoding: 'buffer' }).catch(() => [])) as Buffer[]
  for (const name of names) {
    if (name.equals(own) || sameAs(stemOf(String(name))) !== sameAs(stemOf(String(own)))) continue
    const twin = { path: pathIn(folder, name), name: '', bytes: 0, modifiedMs: 0, isNamed: false }
    if (await isRecording(twin, () => {})) return true
  }
  return false
}

function parted(path: FilePath): [folder: FilePath, name: Buffer] {
  const bytes = Buffer.from(path)
  const name = bytes.subarray(bytes.lastIndexOf('/') + 1)
  const folder = bytes.subarray(0, bytes.length - name.length)
  return [typeof path === 'string' ? dirname(path) : folder, name]
}
