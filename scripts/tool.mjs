// Runs a tool that only maintainers need, out of the folder scripts/tools/, which is installed when one is first asked for.
// Needs only Node, as bun.mjs does. Tests install nothing: test/support/tools.ts says what they left out.

import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const tools = join(root, 'scripts', 'tools')

const read = (...path) => JSON.parse(readFileSync(join(tools, ...path), 'utf8'))

/** As package.json pins it; one that is only optional may not be made for this platform. */
const isHere = ([name, pinned]) => {
  if (!existsSync(join(tools, 'node_modules', name))) return false
  return pinned.endsWith(read('node_modules', name, 'package.json').version)
}

/** @returns the exit code of a child that shares this terminal */
function run(command, args, cwd) {
  const child = spawnSync(command, args, { stdio: 'inherit', cwd })
  if (child.error) console.error(`${command} cannot be run: ${child.error.message}`)
  return child.status ?? 1
}

/** Not `npm ci`: it refuses a lock file that lacks what the registry it was written against has not got, tools for other platforms. */
function install() {
  console.error('Installing what only maintainers need into scripts/tools/ (275 MB, once) …')
  const code = process.versions.bun
    ? run(process.execPath, ['install', '--ignore-scripts'], tools)
    : run('npm', ['install', '--no-save', '--no-progress', '--ignore-scripts'], tools)
  if (code !== 0) process.exit(code)
}

const [name, ...args] = process.argv.slice(2)
if (!Object.entries(read('package.json').dependencies).every(isHere)) install()
else if (name === undefined) console.log('All that only maintainers need is in scripts/tools/.')
if (name !== undefined) process.exit(run(join(tools, 'node_modules', '.bin', name), args, root))
