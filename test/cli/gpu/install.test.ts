// dictation gpu install, status and retry, without a network: from a package file, whole or wrong.

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { dawnFiles, dawnFolderIn, gpuFolderIn } from '../../../src/engine/gpu/dawn-package.ts'
import { noteTrial } from '../../../src/engine/gpu/trials.ts'
import { dawnModule } from '../../support/dawn.ts'

let folder: string
let gpuFolder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dictation-gpu-'))
  gpuFolder = gpuFolderIn(folder)
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function run(...args: string[]) {
  const main = resolve(import.meta.dir, '../../../src/cli/main.ts')
  const child = Bun.spawn([process.execPath, main, 'gpu', ...args], {
    env: { ...process.env, DICTATION_DATA_DIR: folder },
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [output, said] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ])
  return { code: await child.exited, output, said }
}

const { inPackage } = dawnFiles()!

/** A package as npm packs it. */
const packageWith = async (content: Uint8Array) => {
  const path = join(folder, 'webgpu.tgz')
  const others = { 'package/package.json': '{}', 'package/dist/other/dawn.node': 'other' }
  await Bun.Archive.write(path, { ...others, [`${inPackage}/dawn.node`]: content }, { compress: 'gzip' })
  return path
}

test('says the size first, and downloads nothing without a yes', async () => {
  expect(await run('install')).toMatchObject({
    ...{ code: 2, output: '' },
    said: expect.stringMatching(
      /Download 51\.3 MB from .*webgpu 0\.6\.2 \(BSD-3-Clause, [\d.]+ MB\).*--yes/s,
    ),
  })
  expect(existsSync(gpuFolder)).toBe(false)
})

test('refuses a package whose files are not the pinned ones, and a file that is no package', async () => {
  const forged = await run('install', await packageWith(new Uint8Array(1000)))
  expect([forged.code, forged.output]).toEqual([1, ''])
  expect(forged.said).toContain('is not webgpu 0.6.2: it has no dawn.node with the expected checksum')
  expect(forged.said).toContain('Nothing was installed.')
  await writeFile(join(folder, 'notes.txt'), 'notes')
  expect((await run('install', join(folder, 'notes.txt'))).said).toContain('is not webgpu 0.6.2')
  expect((await run('install', join(folder, 'missing.tgz'))).said).toContain('missing.tgz could not be read')
  expect(existsSync(gpuFolder)).toBe(false)
})

test.skipIf(!dawnModule || process.platform !== 'linux')(
  'installs the file of this system from a package, and finds it the next time',
  async () => {
    const library = await readFile(dawnModule!)
    const installed = await run('install', await packageWith(library))
    expect(installed).toMatchObject({
      code: 0,
      output: expect.stringContaining('dictation settings set engine auto'),
    })
    expect(library.equals(await readFile(join(dawnFolderIn(gpuFolder), 'dawn.node')))).toBe(true)
    expect((await run('install')).output).toContain('The library is already in')
    await writeFile(join(dawnFolderIn(gpuFolder), 'dawn.node'), library.subarray(1))
    expect((await run('status')).output).toContain('not installed')
    expect((await run('install', await packageWith(library))).code).toBe(0)
  },
)

test('shows what is known about the GPU, and forgets it', async () => {
  await noteTrial(gpuFolder, 'a', {
    ...{ state: 'failed', model: 'turbo', adapter: ['Card'] },
    reason: 'The GPU writes other text than the CPU.',
  })
  await noteTrial(gpuFolder, 'b', { state: 'trying', model: 'small', previous: null })
  const { output } = await run('status', '--json')
  expect(JSON.parse(output)).toMatchObject({
    trials: [
      { model: 'turbo', state: 'failed', reason: 'The GPU writes other text than the CPU.' },
      { model: 'small', state: 'trying', reason: expect.stringContaining('gpu retry') },
    ],
  })
  for (const _ of ['with trials', 'without'])
    expect((await run('retry')).said).toContain('tried on the GPU again')
  expect((await run('status')).output).toContain('trials   none')
})
