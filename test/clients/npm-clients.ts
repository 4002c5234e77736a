// The npm clients that the tests run and that do not come with the project: they are large, and ask for a newer Node than
// it does. `npm run clients` installs them below the cache folder; what is asked of them is the tests'.

import { join } from 'node:path'
import { folderOf, install, isInstalled } from './cache.ts'

type Client = {
  /** installed together; the first gives the folder its name */
  packages: readonly [string, ...string[]]
  /** of npm install */
  options?: readonly string[]
}

export const AI_SDK: Client = { packages: ['ai@7.0.173', '@ai-sdk/openai@4.0.118'] }

/** Of those that come with the project it lacks what its realtime connections want besides. */
export const OPENAI_REALTIME: Client = { packages: ['openai@7.57.0', 'ws@8.23.0'] }

export const LANGCHAIN: Client = {
  packages: [
    '@langchain/community@1.1.29',
    '@langchain/core@1.4.0',
    '@langchain/classic@1.0.50',
    '@langchain/openai@1.6.0',
  ],
  // Its community package names over a hundred optional peers, which npm takes many minutes to find versions of.
  options: ['--legacy-peer-deps'],
}

// biome-ignore lint/suspicious/noExplicitAny: its types are not here where it is not installed
export type Package = Record<string, any>

/** The folder that they are looked up in; null where they are not on this machine. */
export function modulesFolderOf({ packages }: Client): string | null {
  const [name] = packages
  if (isInstalled(name, packages)) return join(folderOf(name), 'node_modules')
  console.log(`skipped: ${name} is not here; npm run clients installs it`)
  return null
}

/** The modules, in their order; null where the packages are not on this machine. */
export async function modulesOf(client: Client, modules: readonly string[]): Promise<Package[] | null> {
  const folder = modulesFolderOf(client)
  if (folder === null) return null
  return Promise.all(modules.map((module) => import(Bun.resolveSync(module, folder))))
}

async function installClient({ packages, options = [] }: Client): Promise<void> {
  const [name] = packages
  const quietly = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel', 'error']
  await install(name, packages, [
    ['npm', 'install', '--prefix', folderOf(name), ...options, ...quietly, ...packages],
  ])
}

if (import.meta.main) {
  if (Bun.which('npm') !== null)
    for (const client of [AI_SDK, OPENAI_REALTIME, LANGCHAIN]) await installClient(client)
  else
    console.log('There is no npm here: the tests of clients for JavaScript will say that they were skipped.')
}
