// The systems that the executable is built for, and Bun for each of them.

import { mkdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fail, type Result, succeed } from '../../src/lib/result.ts'

/** Suffix of Bun's package for each target. */
const BUN_PACKAGES = {
  'linux-x64': 'linux-x64',
  'linux-arm64': 'linux-aarch64',
  'darwin-arm64': 'darwin-aarch64',
  'darwin-x64': 'darwin-x64',
  'windows-x64': 'windows-x64',
} as const

export type Target = keyof typeof BUN_PACKAGES

export const TARGETS = Object.keys(BUN_PACKAGES) as Target[]

export const HERE = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}` as Target

export const isForWindows = (target: Target): boolean => target.startsWith('windows')

/** @param folder with a folder for each target */
export const fileIn = (folder: string, target: Target): string =>
  join(folder, target, isForWindows(target) ? 'dictation.exe' : 'dictation')

/** A file with Bun for the target, if it is there. */
export async function findBun(target: Target, folder: string): Promise<string | null> {
  if (target === HERE) return process.execPath
  const path = fileOf(target, folder)
  return (await Bun.file(path).exists()) ? path : null
}

const nameOf = (target: Target): string => `@oven/bun-${BUN_PACKAGES[target]}@${Bun.version}`

function fileOf(target: Target, folder: string): string {
  return join(folder, `${target}-${Bun.version}`, isForWindows(target) ? 'bun.exe' : 'bun')
}

/** Downloads Bun's package from the npm registry; npm verifies its checksum. No script of the package runs. */
export async function fetchBun(target: Target, folder: string): Promise<Result<string, string>> {
  const path = fileOf(target, folder)
  const unpacking = `${path}.unpacking`
  await rm(unpacking, { recursive: true, force: true })
  await mkdir(unpacking, { recursive: true })
  try {
    const packed = await run(['npm', 'pack', '--silent', nameOf(target)], unpacking)
    if (!packed.ok) return fail(`npm cannot download ${nameOf(target)}: ${packed.failure}`)
    const unpacked = await run(
      ['tar', '-xzf', packed.value, '--strip-components=2', 'package/bin'],
      unpacking,
    )
    if (!unpacked.ok) return fail(`${packed.value} cannot be unpacked: ${unpacked.failure}`)
    await rename(join(unpacking, isForWindows(target) ? 'bun.exe' : 'bun'), path)
    return succeed(path)
  } finally {
    await rm(unpacking, { recursive: true, force: true })
  }
}

/** The last line of the output. */
async function run(command: string[], cwd: string): Promise<Result<string, string>> {
  const child = Bun.spawn(command, { cwd, stdin: 'ignore', stdout: 'pipe', stderr: 'pipe' })
  const [out, errors] = await Promise.all(
    [child.stdout, child.stderr].map((stream) => new Response(stream).text()),
  )
  const lastLine = (text = '') => text.trim().split('\n').at(-1) ?? ''
  return (await child.exited) === 0 ? succeed(lastLine(out)) : fail(lastLine(errors))
}
