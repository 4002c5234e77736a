// The default store: the data folder itself. Recordings are moved, never copied.

import { existsSync, readFileSync } from 'node:fs'
import { readdir, rename } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { makeFolder, removeDurably, syncFolder, writeFileDurably } from '../lib/durable.ts'
import { nullIfMissing } from '../lib/os-errors.ts'
import { sha256Of } from '../lib/sha256-of.ts'
import { missingFile, type Store } from './store.ts'

export function createDataFolderStore(folder: string): Store {
  return {
    address: null,
    folder,
    async put(path, file, onLocal) {
      const target = join(folder, path)
      await makeFolder(dirname(target))
      // An earlier attempt may have moved it.
      if (existsSync(file) || !existsSync(target)) await rename(file, target)
      onLocal?.(target)
      await syncFolder(dirname(target))
    },
    async get(path) {
      const file = join(folder, path)
      if (!existsSync(file)) throw missingFile(path)
      return file
    },
    hash: (path) => sha256Of(join(folder, path)),
    async write(path, text) {
      const target = join(folder, path)
      await makeFolder(dirname(target))
      await writeFileDurably(target, text)
    },
    async read(path) {
      try {
        // Faster than on another thread for the small files that a start reads by the thousand.
        return readFileSync(join(folder, path))
      } catch (error) {
        return nullIfMissing(error)
      }
    },
    async remove(path) {
      const file = join(folder, path)
      if (existsSync(file)) await removeDurably(file)
    },
    list: (prefix) => listFiles(folder, prefix),
  }
}

/** The paths of all files below the folder that start with the prefix; none if there is no such folder. */
export async function* listFiles(folder: string, prefix: string): AsyncGenerator<string> {
  const within = prefix.slice(0, prefix.lastIndexOf('/') + 1)
  const entries = await readdir(join(folder, within), { withFileTypes: true }).catch(nullIfMissing)
  for (const entry of entries ?? []) {
    const path = `${within}${entry.name}`
    if (entry.isDirectory()) {
      const below = `${path}/`
      if (below.startsWith(prefix)) yield* listFiles(folder, below)
    } else if (path.startsWith(prefix)) yield path
  }
}
