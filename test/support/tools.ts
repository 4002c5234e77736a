// What single tests need of the folder scripts/tools/, which does not come with the project: `npm run tools` installs it.
// Installs nothing; whoever does not find it here is told what was left out.

import { existsSync } from 'node:fs'
import { resolve } from 'node:path'

/** Of a package; null where it is not on this machine. */
export function toolPath(name: string): string | null {
  const path = resolve(import.meta.dir, '../../scripts/tools/node_modules', name)
  if (existsSync(path)) return path
  console.log(`skipped: ${name} is not here; npm run tools installs it`)
  return null
}
