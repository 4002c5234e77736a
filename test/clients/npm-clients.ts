// The npm clients that the tests run. They are no dev dependencies: they are large and need a newer Node.
// `npm run clients` installs them into the cache folder.

import { join } from 'node:path'
import { folderOf, install, isInstalled } from './cache.ts'

type Client = {
  /** installed together; the folder has the name of the first */
  packages: readonly [string, ...string[]]
  /** for npm install */
  options?: readonly string[]
}

export const AI_SDK: Client = { packages: ['ai@7.0.173', '@ai-sdk/openai@4.0.118'] }

/** With `ws`, which the realtime client needs and the project's own copy lacks. */
export const OPENAI_REALTIME: Client = { packages: ['openai@7.57.0', 'ws@8.23.0'] }

export const LANGCHAIN: Client = {
  packages: [
    '@langchain/community@1.1.29',
    '@langchain/core@1.4.0',
    '@langchain/classic@1.0.50',
    '@langchain/openai@1.6.0',
  ],
  // The community package has over a hundred optional peers, which npm takes many minutes to resolve.
  options: ['--legacy-peer-deps'],
}

// biome-ignore lint/suspicious/noExplicitAny: its types are missing if it is not installed
export type Package = Record<string, any>

/** @returns null if the packages are not installed */
export function modulesFolderOf({ packages }: Client): string | null {
  const [name] = packages
  if (isInstalled(name, packages)) return join(folderOf(name), 'node_modules')
  console.log(`skipped: ${name} is not installed; run "npm run clients"`)
  return null
}

/** @returns the modules in the given order; null if the packages are not installed */
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
  else console.log('npm is not installed: the tests of JavaScript clients will be skipped.')
}
