// Runs a maintainer's tool from scripts/tools/, which is installed on first use. Needs only Node, as bun.mjs does.

import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const tools = join(root, 'scripts', 'tools')

const read = (...path) => JSON.parse(readFileSync(join(tools, ...path), 'utf8'))

/** At the version that package.json pins; an optional one may not exist for this platform. */
const isHere = ([name, pinned]) => {
  if (!existsSync(join(tools, 'node_modules', name))) return false
  return pinned.endsWith(read('node_modules', name, 'package.json').version)
}

/** @returns the exit code of a child that shares this terminal */
function run(command, args, cwd) {
  const child = spawnSync(command, args, { stdio: 'inherit', cwd })
  if (child.error) console.error(`Could not run ${command}: ${child.error.message}`)
  return child.status ?? 1
}

/** Not `npm ci`, which rejects the lock file if the registry lacks optional tools of other platforms. */
function install() {
  console.error('Installing the maintainer tools into scripts/tools/ (275 MB, once) …')
  const code = process.versions.bun
    ? run(process.execPath, ['install', '--ignore-scripts'], tools)
    : run('npm', ['install', '--no-save', '--no-progress', '--ignore-scripts'], tools)
  if (code !== 0) process.exit(code)
}

const [name, ...args] = process.argv.slice(2)
if (!Object.entries(read('package.json').dependencies).every(isHere)) install()
else if (name === undefined) console.log('The maintainer tools are installed in scripts/tools/.')
if (name !== undefined) process.exit(run(join(tools, 'node_modules', '.bin', name), args, root))
