// The cache folder of the clients that only tests use.

import { existsSync, readFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'

/** @param name such as `openai==3.54.0` or `@ai-sdk/openai@4.0.118` */
export const folderOf = (name: string) =>
  join(
    process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'),
    'local-dictation-clients',
    name.replaceAll('==', '-').replaceAll('/', '-'),
  )

/** Written last, with the list of packages: a partial installation, or one of other versions, is repeated. */
const noteOf = (name: string) => join(folderOf(name), 'ready')

export function isInstalled(name: string, packages: readonly string[]): boolean {
  return existsSync(noteOf(name)) && readFileSync(noteOf(name), 'utf8') === packages.join('\n')
}

/** Runs the commands unless the client is installed. */
export async function install(
  name: string,
  packages: readonly string[],
  commands: readonly string[][],
): Promise<void> {
  if (isInstalled(name, packages)) return console.log(`${name} is already installed`)
  console.log(`installing ${name}`)
  const before = performance.now()
  await mkdir(folderOf(name), { recursive: true })
  for (const command of commands) {
    const code = await Bun.spawn(command, { stdout: 'inherit', stderr: 'inherit' }).exited
    if (code !== 0) throw new Error(`${command.join(' ')} exited with ${code}`)
  }
  await Bun.write(noteOf(name), packages.join('\n'))
  console.log(`installed ${name} in ${((performance.now() - before) / 1000).toFixed(0)} s`)
}
