// `dictation decoder install`, with a registry of this test and with a file. The content is that of the installed package.

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import packageJson from '../../../package.json' with { type: 'json' }

const main = resolve(import.meta.dir, '../../../src/cli/main.ts')
const original = dirname(fileURLToPath(import.meta.resolve('@ffmpeg/core')))
const NAMES = ['ffmpeg-core.js', 'ffmpeg-core.wasm']

let folder: string
let tarball: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dictation-decoder-'))
  tarball = join(folder, 'ffmpeg-core.tgz')
  await pack(tarball, await contentOf(NAMES[0]!))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const contentOf = (name: string) => Bun.file(join(original, name)).bytes()

/** As npm packs it, with this script. */
const pack = async (path: string, script: Uint8Array) =>
  Bun.Archive.write(
    path,
    {
      [`package/dist/esm/${NAMES[0]}`]: script,
      [`package/dist/esm/${NAMES[1]}`]: await contentOf(NAMES[1]!),
    },
    { compress: 'gzip', level: 1 },
  )

async function install(data: string, args: string[], env: Record<string, string> = {}) {
  const child = Bun.spawn([process.execPath, main, 'decoder', 'install', ...args], {
    env: { PATH: process.env.PATH, HOME: folder, DICTATION_DATA_DIR: join(folder, data), ...env },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const texts = [child.stdout, child.stderr].map((stream) => new Response(stream).text())
  const [output = '', errors = ''] = await Promise.all(texts)
  return { code: await child.exited, output, errors }
}

const installed = (data: string) => readdir(join(folder, data, 'decoders')).catch(() => [])

test('downloads the version of package.json after a yes, and not a second time', async () => {
  const paths: string[] = []
  using registry = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch(request) {
      paths.push(new URL(request.url).pathname)
      return new Response(Bun.file(tarball))
    },
  })
  const env = { npm_config_registry: `http://127.0.0.1:${registry.port}/` }
  expect(await install('pulled', [], env)).toMatchObject({
    code: 2,
    errors: expect.stringMatching(/Download 20\.6 MB from .*GPL-2\.0-or-later, 32\.3 MB.*--yes/s),
  })
  expect([paths, await installed('pulled')]).toEqual([[], []])
  expect(await install('pulled', ['--yes'], env)).toMatchObject({ code: 0 })
  const version = packageJson.optionalDependencies['@ffmpeg/core']
  expect(paths).toEqual([`/@ffmpeg/core/-/core-${version}.tgz`])
  for (const name of NAMES)
    expect(await Bun.file(join(folder, 'pulled/decoders', name)).bytes()).toEqual(await contentOf(name))
  expect(JSON.parse((await install('pulled', ['--json'], env)).output)).toMatchObject({ installed: false })
  expect(paths).toHaveLength(1)
}, 60_000)

test('reports what to do if the registry fails, or sends more than expected', async () => {
  let response = () => new Response('', { status: 500 })
  using registry = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => response() })
  const env = { npm_config_registry: `http://127.0.0.1:${registry.port}` }
  for (const reason of ['responds with 500', 'larger than expected']) {
    const { code, errors } = await install('failed', ['--yes'], env)
    expect([code, errors]).toEqual([1, expect.stringContaining(reason)])
    expect(errors).toContain('npm pack @ffmpeg/core@')
    response = () => new Response(new Uint8Array(20_634_720))
  }
  expect(await installed('failed')).toEqual([])
}, 60_000)

test('takes a file without a network, and refuses any other content', async () => {
  const changed = join(folder, 'changed.tgz')
  await pack(changed, Buffer.concat([await contentOf(NAMES[0]!), Buffer.from('\n')]))
  for (const wrong of [changed, main])
    expect(await install('given', [wrong])).toMatchObject({
      code: 1,
      errors: expect.stringContaining('with the expected checksum'),
    })
  expect((await install('given', [join(folder, 'missing.tgz')])).code).toBe(5)
  expect(await installed('given')).toEqual([])
  expect(await install('given', [tarball])).toMatchObject({ code: 0 })
  expect((await installed('given')).toSorted()).toEqual(NAMES)
}, 60_000)
