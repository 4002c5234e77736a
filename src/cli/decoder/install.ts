// dictation decoder install: puts FFmpeg in WebAssembly (GPL) into the data folder, where the decoder process finds it.

import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { gunzipSync } from 'node:zlib'
import type { Environment } from '../../config.ts'
import { makeFolder, writeFileDurably } from '../../lib/durable.ts'
import { systemReason } from '../../lib/os-errors.ts'
import { sha256Of } from '../../lib/sha256-of.ts'
import type { Given } from '../command.ts'
import { confirm } from '../terminal/confirm.ts'
import { EXIT } from '../terminal/exit.ts'
import { CommandFailure } from '../terminal/failure.ts'
import type { Report } from '../terminal/report.ts'
import type { Tools } from '../tools.ts'
import { validConfig } from '../valid-config.ts'

const NAME = '@ffmpeg/core'
const VERSION = '0.12.10'
const LICENSE = 'GPL-2.0-or-later'
const PACKED_BYTES = 20_634_719
/** The package contains two builds. */
const MAX_UNPACKED_BYTES = 80_000_000
const IN_PACKAGE = 'package/dist/esm'

/** In the order in which they are written: the decoder looks for the script. */
const FILES = [
  {
    name: 'ffmpeg-core.wasm',
    bytes: 32_232_419,
    sha256: '9f57947a5bd530d8f00c5b3f2cb2a3492faa7e5d823315342d6a8656d0a6b7b7',
  },
  {
    name: 'ffmpeg-core.js',
    bytes: 111_804,
    sha256: '67a48f11645f85439f3fde4f2119042c16b374b910206b7a7a24f342e28dcae3',
  },
]

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`

export async function installDecoder(
  { env, report }: Tools,
  { args, options }: Given<{ yes?: boolean }>,
): Promise<number> {
  const folder = join(validConfig(env).dataFolder, 'decoders')
  if (await isInstalled(folder)) {
    report.answer({ folder, installed: false }, () => `The decoder is already in ${folder}.`)
    return EXIT.done
  }
  const [file] = args
  const unpacked = megabytes(FILES.reduce((sum, { bytes }) => sum + bytes, 0))
  const what = `${NAME} ${VERSION} (${LICENSE}, ${unpacked})`
  const address = addressIn(env)
  if (file === undefined) {
    const question = `Download ${megabytes(PACKED_BYTES)} from ${new URL(address).host}, and put ${what} into ${folder}?`
    if (options.yes) report.note(question.replace('?', '.'))
    if (!(await confirm(question, options.yes === true))) return EXIT.failed
  } else report.note(`Puts ${what} into ${folder}.`)
  const files = await filesIn(
    file === undefined ? await downloaded(address, report) : await contentOf(file),
    file ?? address,
  )
  await makeFolder(folder)
  for (const [name, bytes] of files) await writeFileDurably(join(folder, name), bytes)
  report.answer({ folder, installed: true }, () => `The decoder is installed in ${folder}.`)
  return EXIT.done
}

async function isInstalled(folder: string): Promise<boolean> {
  const hashes = FILES.map(({ name }) => sha256Of(join(folder, name)).catch(() => null))
  return (await Promise.all(hashes)).every((hash, index) => hash === FILES[index]!.sha256)
}

/** In the registry that npm uses: a mirror cannot change the files. */
function addressIn(env: Environment): string {
  const registry = env.npm_config_registry || env.NPM_CONFIG_REGISTRY || ''
  const base = URL.canParse(registry) ? registry : 'https://registry.npmjs.org'
  return `${base.replace(/\/+$/, '')}/${NAME}/-/core-${VERSION}.tgz`
}

const DOWNLOAD_WITHIN_MS = 30 * 60_000

async function downloaded(address: string, report: Report): Promise<Uint8Array> {
  const pieces: Uint8Array[] = []
  let bytes = 0
  try {
    const response = await fetch(address, { signal: AbortSignal.timeout(DOWNLOAD_WITHIN_MS) })
    if (!response.ok) throw new Error(`the server responds with ${response.status}`)
    for await (const piece of response.body ?? []) {
      bytes += piece.length
      if (bytes > PACKED_BYTES) throw new Error('it is larger than expected')
      pieces.push(piece)
      report.progress({
        done: Math.round(bytes / 1e6),
        total: Math.round(PACKED_BYTES / 1e6),
        text: 'MB',
      })
    }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new CommandFailure(`${address} could not be downloaded: ${reason}.`, {
      code: 'download_failed',
      hint: 'Download this file in another way, and run: dictation decoder install FILE',
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

/** The files of the package, each with its content. @throws CommandFailure if they are not the expected ones */
async function filesIn(packed: Uint8Array, from: string): Promise<[name: string, bytes: Uint8Array][]> {
  const found = await unpack(packed)
  return FILES.map(({ name, sha256 }) => {
    const bytes = found.get(name)
    if (bytes !== undefined && Bun.SHA256.hash(bytes, 'hex') === sha256) return [name, bytes]
    throw new CommandFailure(
      `${from} is not ${NAME} ${VERSION}: it has no ${name} with the expected checksum.`,
      {
        code: 'wrong_decoder',
        hint: `npm pack ${NAME}@${VERSION} downloads the right file.`,
      },
    )
  })
}

/** Empty for another kind of file. */
async function unpack(packed: Uint8Array): Promise<Map<string, Uint8Array>> {
  try {
    const archive = new Bun.Archive(gunzipSync(packed, { maxOutputLength: MAX_UNPACKED_BYTES }))
    const files = [...(await archive.files(`${IN_PACKAGE}/*`))]
    return new Map(
      await Promise.all(
        files.map(async ([path, file]) => [path.slice(IN_PACKAGE.length + 1), await file.bytes()] as const),
      ),
    )
  } catch {
    return new Map()
  }
}
