// The Python clients that the tests run, each version in a virtual environment of its own below the cache folder.
// `npm run clients` makes those that are missing; what is asked of the clients is the tests'.

import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

/** One of each major version: the last of those before. */
export const OPENAI_VERSIONS = ['1.109.1', '2.54.0', '3.54.0'] as const

/** Where a client lies that is installed for the tests alone. */
export const folderOf = (requirement: string) =>
  join(
    process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'),
    'local-dictation-clients',
    requirement.replace('==', '-'),
  )

/** The interpreter that has this package, as `openai==3.54.0`; null where there is none on this machine. */
export function pythonWith(requirement: string): string | null {
  const python = join(folderOf(requirement), 'bin', 'python')
  if (existsSync(join(folderOf(requirement), 'ready'))) return python
  console.log(`skipped: ${requirement} for Python is not here; npm run clients installs it`)
  return null
}

async function install(requirement: string): Promise<void> {
  const folder = folderOf(requirement)
  if (existsSync(join(folder, 'ready'))) return console.log(`${requirement} is here`)
  console.log(`installing ${requirement}`)
  for (const command of [
    ['python3', '-m', 'venv', '--clear', folder],
    [join(folder, 'bin', 'pip'), 'install', '--quiet', '--disable-pip-version-check', requirement],
  ]) {
    const code = await Bun.spawn(command, { stdout: 'inherit', stderr: 'inherit' }).exited
    if (code !== 0) throw new Error(`${command.join(' ')} ended with ${code}`)
  }
  await Bun.write(join(folder, 'ready'), '')
}

if (import.meta.main) {
  if (Bun.which('python3') === null) {
    console.log('There is no python3 here: the tests of Python clients will say that they were skipped.')
    process.exit(0)
  }
  for (const version of OPENAI_VERSIONS) await install(`openai==${version}`)
}
