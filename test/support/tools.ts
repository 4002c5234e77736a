// What single tests need of the folder scripts/tools/, which does not come with the project: `npm run tools` installs it.
// Installs nothing; whoever does not find it here is told what was left out.

import { existsSync } from 'node:fs'
import { resolve } from 'node:path'

const MODULES = resolve(import.meta.dir, '../../scripts/tools/node_modules')

/** Of a package, or of a file in one; null where it is not on this machine. */
export function toolPath(name: string): string | null {
  const path = resolve(MODULES, name)
  if (existsSync(path)) return path
  console.log(`skipped: ${name} is not here; npm run tools installs it`)
  return null
}

/** @param load imports the package by its name, so that its types are known */
export const tool = async <T>(name: string, load: () => Promise<T>): Promise<T | null> =>
  toolPath(name) === null ? null : load()
