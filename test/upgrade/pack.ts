// Packs a data folder as small as possible, with everything that its server needs.

import { linkSync, readdirSync, rmSync, statSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sha256 } from '../support/kept-view.ts'

/** Recreated by each start: the disk reserve, decoded samples, locks. Models come with the program. */
const LEFT_OUT = ['ballast', 'work', 'models', 'instance.lock', 'instance.lock-journal', 'instance.json']

export async function packFolder(dataFolder: string, packed: string): Promise<void> {
  for (const name of LEFT_OUT) rmSync(join(dataFolder, name), { recursive: true, force: true })
  await linkEqualFiles(dataFolder)
  // Timestamps in milliseconds need the POSIX format.
  const tar = ['--format=posix', '--pax-option=delete=atime,delete=ctime', '--sort=name']
  const owner = ['--owner=0', '--group=0', '--numeric-owner']
  await Bun.$`tar ${tar} ${owner} -C ${dataFolder} -cf - . | gzip -9n > ${packed}`.quiet()
}

/** The three databases of a cluster are copies of each other, and tar stores one file of several names once. */
async function linkEqualFiles(folder: string): Promise<void> {
  const first = new Map<string, string>()
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    if (!entry.isFile() || statSync(path).size === 0 || path.endsWith('.json')) continue
    const hash = sha256(await readFile(path))
    const other = first.get(hash)
    if (other === undefined) first.set(hash, path)
    else {
      rmSync(path)
      linkSync(other, path)
    }
  }
}
