// Packages of scripts/tools/, which are not part of the installation; `npm run tools` installs them. A test whose tool
// is missing is skipped with a message.

import { existsSync } from 'node:fs'
import { resolve } from 'node:path'

/** The path of a package; null if it is not installed. */
export function toolPath(name: string): string | null {
  const path = resolve(import.meta.dir, '../../scripts/tools/node_modules', name)
  if (existsSync(path)) return path
  console.log(`skipped: ${name} is not here; npm run tools installs it`)
  return null
}
