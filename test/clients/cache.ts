// Where the clients lie that are installed for the tests alone, and whether they are there whole.
// What is installed, and how, is venvs.ts's and npm-clients.ts's.

import { existsSync, readFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'

/** The folder of a client as `openai==3.54.0` or `@ai-sdk/openai@4.0.118`. */
export const folderOf = (name: string) =>
  join(
    process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'),
    'local-dictation-clients',
    name.replaceAll('==', '-').replaceAll('/', '-'),
  )

/** Written last, with all that lies there: what is half installed or was pinned otherwise is installed anew. */
const noteOf = (name: string) => join(folderOf(name), 'ready')

export function isInstalled(name: string, packages: readonly string[]): boolean {
  return existsSync(noteOf(name)) && readFileSync(noteOf(name), 'utf8') === packages.join('\n')
}

/** Runs the commands that install it, unless it is there. */
export async function install(
  name: string,
  packages: readonly string[],
  commands: readonly string[][],
): Promise<void> {
  if (isInstalled(name, packages)) return console.log(`${name} is here`)
  console.log(`installing ${name}`)
  const before = performance.now()
  await mkdir(folderOf(name), { recursive: true })
  for (const command of commands) {
    const code = await Bun.spawn(command, { stdout: 'inherit', stderr: 'inherit' }).exited
    if (code !== 0) throw new Error(`${command.join(' ')} ended with ${code}`)
  }
  await Bun.write(noteOf(name), packages.join('\n'))
  console.log(`installed ${name} in ${((performance.now() - before) / 1000).toFixed(0)} s`)
}
