// Finds this installation's Bun, whether or not its install script was allowed to run, and runs it. Needs only Node.

import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = dirname(dirname(fileURLToPath(import.meta.url)))

/** Bun's package contains a stub of a few bytes until its postinstall script replaces it with the binary (100 MB). */
const isBinary = (path) => existsSync(path) && statSync(path).size > 1_000_000

const runs = (path) => spawnSync(path, ['--version'], { stdio: 'ignore' }).status === 0

/** Of the project, or beside it: npm puts the dependencies of an installed package next to it. */
function moduleFolders() {
  const folders = [join(root, 'node_modules')]
  for (let folder = root; dirname(folder) !== folder; folder = dirname(folder))
    if (folder.endsWith('node_modules')) folders.push(folder)
  return folders
}

function bunIn(modules) {
  const installed = join(modules, 'bun', 'bin', 'bun.exe')
  if (isBinary(installed)) return installed
  const platforms = join(modules, '@oven')
  if (!existsSync(platforms)) return undefined
  // glibc and musl builds may both be installed: the one that starts is the right one.
  return readdirSync(platforms)
    .flatMap((name) => [join(platforms, name, 'bin', 'bun'), join(platforms, name, 'bin', 'bun.exe')])
    .filter(isBinary)
    .find(runs)
}

export function bunOrExit() {
  if (process.versions.bun) return process.execPath
  for (const modules of moduleFolders()) {
    const bun = bunIn(modules)
    if (bun !== undefined) return bun
  }
  console.error(
    'Bun is not installed for this platform. Run "npm install" in the project folder (without --omit=optional) and try again.',
  )
  process.exit(1)
}

/** Runs a program in this terminal, and exits with its code. */
export function runToEnd(program, args, { cwd }) {
  const child = spawn(program, args, { stdio: 'inherit', cwd })
  // In a terminal Ctrl-C reaches the child by itself, and a second signal means "exit at once": passing it on as well
  // would turn one key press into two.
  const passedOn = process.stdin.isTTY ? ['SIGTERM', 'SIGHUP'] : ['SIGTERM', 'SIGHUP', 'SIGINT']
  for (const signal of ['SIGTERM', 'SIGHUP', 'SIGINT']) {
    process.on(signal, () => passedOn.includes(signal) && child.kill(signal))
  }
  child.on('exit', (code, signal) =>
    process.exit(code ?? (signal === 'SIGINT' ? 130 : signal === 'SIGTERM' ? 143 : 1)),
  )
}
