// dictation gpu install: puts the files of the npm package webgpu that this system needs into the data folder.

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  DAWN_ARCHIVE,
  DAWN_VERSION,
  type DawnFile,
  dawnFiles,
  dawnFolderIn,
  gpuFolderIn,
} from '../../engine/gpu/dawn-package.ts'
import { makeFolder, writeFileDurably } from '../../lib/durable.ts'
import { systemReason } from '../../lib/os-errors.ts'
import { askHub } from '../../models/hub.ts'
import type { Given } from '../command.ts'
import { EXIT } from '../terminal/exit.ts'
import { CommandFailure } from '../terminal/failure.ts'
import type { Report } from '../terminal/report.ts'
import type { Tools } from '../tools.ts'
import { validConfig } from '../valid-config.ts'

const megabytes = (bytes: number) => `${(bytes / 1_000_000).toFixed(1)} MB`

export async function installGpu({ env, report }: Tools, { args: [file] }: Given): Promise<number> {
  const { dataFolder, gpu } = validConfig(env)
  const folder = dawnFolderIn(gpuFolderIn(dataFolder))
  const wanted = dawnFiles()
  if (!wanted)
    throw new CommandFailure(`webgpu ${DAWN_VERSION} has no library for this system.`, {
      code: 'unsupported',
    })
  const bytes = wanted.files.reduce((sum, one) => sum + one.bytes, 0)
  if (await areInstalled(folder, wanted.files)) {
    report.note(`webgpu ${DAWN_VERSION} is already installed in ${folder}.`)
    return EXIT.done
  }
  const kept = `${megabytes(bytes)} of it are kept in ${folder}`
  if (file === undefined)
    report.say(
      `Downloading ${megabytes(DAWN_ARCHIVE.bytes)} from ${new URL(DAWN_ARCHIVE.url).host}; ${kept}.`,
    )
  const archive = file === undefined ? await downloadPackage(DAWN_ARCHIVE.url, report) : await read(file)
  const contents = await unpack(archive, wanted)
  await makeFolder(folder)
  // The module comes last: it counts as installed when all files are there.
  for (const [name, content] of [...contents].reverse()) await writeFileDurably(join(folder, name), content)
  report.note(
    gpu === 'off'
      ? `Installed and verified. Start the server with DICTATION_GPU=auto to use it.`
      : 'Installed and verified. The next model that is loaded is tried on the GPU.',
  )
  return EXIT.done
}

const sha256 = (content: Uint8Array) => new Bun.CryptoHasher('sha256').update(content).digest('hex')

async function areInstalled(folder: string, files: readonly DawnFile[]): Promise<boolean> {
  for (const { name, sha256: expected } of files) {
    const content = await readFile(join(folder, name)).catch(() => null)
    if (content === null || sha256(content) !== expected) return false
  }
  return true
}

async function read(file: string): Promise<Uint8Array> {
  try {
    return await readFile(file)
  } catch (error) {
    throw new CommandFailure(`${file} cannot be read: ${systemReason(error) ?? error}.`, {
      code: 'unreadable',
    })
  }
}

/** @throws CommandFailure */
export async function downloadPackage(
  url: string,
  { progress }: Pick<Report, 'progress'>,
): Promise<Uint8Array> {
  const answer = await askHub({ url, signal: new AbortController().signal })
  if (!answer.ok)
    throw new CommandFailure(`The download failed: ${answer.failure.message}.`, {
      code: 'unreachable',
      hint: OFFLINE,
    })
  const chunks: Uint8Array[] = []
  let received = 0
  try {
    for await (const chunk of answer.value.response.body ?? []) {
      chunks.push(chunk)
      received += chunk.length
      const [done, total] = [received, DAWN_ARCHIVE.bytes].map((bytes) => Math.round(bytes / 1_000_000))
      progress({ done: done!, total: total!, text: 'MB' })
    }
  } catch (error) {
    throw new CommandFailure('The download was cut short.', {
      code: 'unreachable',
      hint: OFFLINE,
      cause: error,
    })
  }
  return Buffer.concat(chunks)
}

const OFFLINE = `Try again, or run "npm pack webgpu@${DAWN_VERSION}" elsewhere and give this command the file.`

/** @throws CommandFailure if a file is missing or is not the pinned one */
async function unpack(
  archive: Uint8Array,
  { inPackage, files }: { inPackage: string; files: readonly DawnFile[] },
): Promise<Map<string, Uint8Array>> {
  const found = await filesIn(archive, `${inPackage}/*`)
  const contents = new Map<string, Uint8Array>()
  for (const { name, sha256: expected } of files) {
    const content = await found.get(`${inPackage}/${name}`)?.bytes()
    if (content === undefined || sha256(content) !== expected)
      throw new CommandFailure(
        `This is not webgpu ${DAWN_VERSION}: its ${name} differs from the expected one.`,
        {
          code: 'wrong_file',
          hint: `Nothing was installed. ${OFFLINE}`,
        },
      )
    contents.set(name, content)
  }
  return contents
}

const filesIn = async (archive: Uint8Array, pattern: string): Promise<Map<string, File>> => {
  try {
    return await new Bun.Archive(archive).files(pattern)
  } catch {
    return new Map()
  }
}
