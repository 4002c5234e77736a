// Resolves the path arguments of a command.

import { readdir, stat } from 'node:fs/promises'
import { parse, resolve, sep } from 'node:path'
import { EXIT } from '../terminal/exit.ts'
import { UsageError } from '../terminal/failure.ts'
import { type FilePath, pathIn } from './file-path.ts'

/** The runtime's replacement for bytes in an argument that are not UTF-8. */
const REPLACEMENT = '\uFFFD'

/** @throws UsageError if there is none, or if one does not exist */
export async function pathsAt(given: string[]): Promise<FilePath[]> {
  if (given.length === 0) throw new UsageError('Name a folder or a file.')
  const found = await Promise.all(given.map(meantBy))
  for (const [index, paths] of found.entries())
    if (paths.length === 0)
      throw new UsageError(`There is no file or folder ${given[index]}.`, null, EXIT.notFound)
  return found.flat()
}

/** An argument that lost bytes matches every existing path that looks the same. */
async function meantBy(given: string): Promise<FilePath[]> {
  const path = resolve(given)
  const candidates = path.includes(REPLACEMENT) ? await pathsLike(path) : [path]
  const kinds = await Promise.all(candidates.map((one) => stat(one).catch(() => null)))
  return candidates.filter((_, index) => kinds[index]?.isDirectory() || kinds[index]?.isFile())
}

async function pathsLike(path: string): Promise<FilePath[]> {
  const { root } = parse(path)
  let folders: FilePath[] = [root]
  for (const part of path.slice(root.length).split(sep)) {
    const found = await Promise.all(folders.map((folder) => entriesLike(folder, part)))
    folders = found.flat()
  }
  return folders
}

async function entriesLike(folder: FilePath, part: string): Promise<FilePath[]> {
  if (!part.includes(REPLACEMENT)) return [pathIn(folder, Buffer.from(part))]
  const names = (await readdir(folder, { encoding: 'buffer' }).catch(() => [])) as Buffer[]
  return names.filter((name) => name.toString() === part).map((name) => pathIn(folder, name))
}
