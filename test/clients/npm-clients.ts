// The npm clients that the tests run and that do not come with the project: they are large, and ask for a newer Node than
// it does. `npm run clients` installs them below the cache folder; what is asked of them is the tests'.

import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { folderOf } from './venvs.ts'

export const AI_SDK = ['ai@7.0.173', '@ai-sdk/openai@4.0.118'] as const

const folder = folderOf(AI_SDK.join('+').replaceAll('/', '-'))
const isReady = () => existsSync(join(folder, 'ready'))

// biome-ignore lint/suspicious/noExplicitAny: its types are not here where it is not installed
export type Package = Record<string, any>

/** The packages, in their order; null where they are not on this machine. */
export async function aiSdk(): Promise<Package[] | null> {
  if (!isReady()) {
    console.log('skipped: the AI SDK is not here; npm run clients installs it')
    return null
  }
  const names = AI_SDK.map((one) => one.slice(0, one.lastIndexOf('@')))
  return Promise.all(names.map((name) => import(Bun.resolveSync(name, folder))))
}

async function install(): Promise<void> {
  if (isReady()) return console.log(`${AI_SDK.join(' and ')} are here`)
  console.log(`installing ${AI_SDK.join(' and ')}`)
  await mkdir(folder, { recursive: true })
  const quietly = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel', 'error']
  const command = ['npm', 'install', '--prefix', folder, ...quietly, ...AI_SDK]
  const code = await Bun.spawn(command, { stdout: 'inherit', stderr: 'inherit' }).exited
  if (code !== 0) throw new Error(`${command.join(' ')} ended with ${code}`)
  await Bun.write(join(folder, 'ready'), '')
}

if (import.meta.main) {
  if (Bun.which('npm') !== null) await install()
  else console.log('There is no npm here: the test of the AI SDK will say that it was skipped.')
}
