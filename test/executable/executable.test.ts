// The executable of `npm run build` in an empty root.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { cp, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { SCRIPT_FLAG } from '../../src/lib/child-process.ts'
import { readHolder } from '../../src/lib/instance-file.ts'
import { hasBrowser, openBrowser } from '../support/browser.ts'
import { childrenOf } from '../support/children.ts'
import { bundledModel } from '../support/ggml.ts'
import { openPage } from '../support/page.ts'
import { startServer } from '../support/server.ts'
import { speechFolder } from '../support/speech.ts'
import { until } from '../support/until.ts'
import { canHaveEmptyRoot, type EmptyRoot, openEmptyRoot } from './empty-root.ts'

const project = resolve(import.meta.dir, '../..')
const HERE = `linux-${process.arch}`
const FFMPEG = 'node_modules/@ffmpeg/core'
const TEXT = /might even have been made amiable himself/

const formats = (name: string) => join(speechFolder, 'formats', name)

describe.skipIf(!canHaveEmptyRoot)('the executable, without Node, a checkout or a shell', () => {
  let root: EmptyRoot
  let url = ''

  beforeAll(async () => {
    const build = Bun.spawn([process.execPath, 'scripts/build.ts', '--target', HERE], { cwd: project })
    expect(await build.exited).toBe(0)
    root = await openEmptyRoot(join(project, 'dist', HERE, 'dictation'), {
      PORT: '0',
      DICTATION_MODEL: bundledModel.name,
    })
  }, 300_000)

  afterAll(async () => {
    await kill()
    await root?.remove()
  })

  const start = async () => {
    const started = await root.run('server', 'start')
    expect(started).toMatchObject({ code: 0 })
    url = started.stdout.trim()
  }

  const kill = async () => {
    const holder = root && (await readHolder(root.dataFolder))
    if (holder !== null) process.kill(holder.pid, 'SIGKILL')
  }

  const transcribe = async (file: string, fields: Record<string, string> = {}) => {
    const form = new FormData()
    form.append('file', Bun.file(file))
    for (const [name, value] of Object.entries(fields)) form.append(name, value)
    const response = await fetch(`${url}/transcribe`, { method: 'POST', body: form })
    return (await response.json()) as { text?: string; detail?: string }
  }

  test('transcribes a file, for which it starts the server for the first time', async () => {
    const file = await root.put(join(speechFolder, 'short-01.flac'))
    const { code, stdout, stderr } = await root.run('transcribe', file)
    expect({ code, stderr }).toMatchObject({ code: 0, stderr: expect.stringContaining('starting one') })
    expect(stdout).toContain('this is a test of the local dictation service')
    await start()
  })

  test.each([
    ...['wav-s16.wav', 'wav-48k-stereo.wav', 'flac-48k.flac', 'mp3-cbr64.mp3', 'ogg-opus.opus'],
    ...['ogg-vorbis.ogg', 'webm-opus.webm', 'webm-opus-live.webm', 'mkv-vorbis.mkv', 'mka-flac.mka'],
  ])('transcribes %s', async (name) => {
    expect((await transcribe(formats(name))).text).toMatch(TEXT)
  })

  test('writes Chinese in the requested script, with the larger model', async () => {
    const file = join(project, 'test/languages/speech/rhino-zh.ogg')
    const fields = { model: 'base' }
    const simplified = (await transcribe(file, { ...fields, language: 'zh-Hans' })).text!
    const traditional = (await transcribe(file, { ...fields, language: 'zh-Hant' })).text!
    expect(simplified).toMatch(/\p{Script=Han}/u)
    expect(traditional).toHaveLength(simplified.length)
    expect(traditional).not.toBe(simplified)
  })

  test('has every file of the page and of the documentation', async () => {
    const served = async (path: string) => (await fetch(`${url}${path}`)).bytes()
    const expected = async (folder: string, file: string) => Bun.file(join(project, folder, file)).bytes()
    const parts: [address: string, folder: string, names: string[]][] = [
      ['/page', 'src/ui/built', await readdir(join(project, 'src/ui/built'))],
      ['/docs/page', 'src/http/docs/assets', await readdir(join(project, 'src/http/docs/assets'))],
      ['/docs/assets', 'node_modules/swagger-ui-dist', ['swagger-ui-bundle.js', 'swagger-ui.css']],
    ]
    for (const [address, folder, names] of parts)
      for (const name of names.filter((name) => name !== 'index.html'))
        expect(await served(`${address}/${name}`)).toEqual(await expected(folder, name))
  })

  test.skipIf(!hasBrowser)('shows the page and the documentation in Chromium', async () => {
    await using browser = await openBrowser()
    const page = await openPage(browser, url)
    const docs = await openPage(browser, url)
    await docs.page.goto(`${url}/docs`)
    await docs.page.waitForSelector('.opblock')
    expect([...page.faults, ...docs.faults]).toEqual([])
  })

  test('names its own commands, and has the licenses', async () => {
    const health = (await (await fetch(`${url}/health`)).json()) as { hint: string }
    expect(health.hint).toContain('"dictation models pull"')
    const { stdout } = await root.run('licenses')
    for (const part of ['Bun (MIT)', 'OpenAI', 'codec-parser', 'preact']) expect(stdout).toContain(part)
    expect(stdout).not.toContain('@ffmpeg/core')
  })

  test('decodes AAC once the decoder is installed, and completes a recording after kill -9', async () => {
    expect((await transcribe(formats('m4a-aac.m4a'))).detail).toContain('"dictation decoder install"')
    const names = ['ffmpeg-core.js', 'ffmpeg-core.wasm'].map((name) => `dist/esm/${name}`)
    const files = names.map(async (name) => {
      const bytes = await Bun.file(join(project, FFMPEG, name)).bytes()
      return [`package/${name}`, bytes] as const
    })
    const tarball = join(project, 'dist/ffmpeg-core.tgz')
    const packed = Object.fromEntries(await Promise.all(files))
    await Bun.Archive.write(tarball, packed, { compress: 'gzip', level: 1 })
    const installed = await root.run('decoder', 'install', await root.put(tarball))
    expect(installed).toMatchObject({ code: 0 })
    expect((await transcribe(formats('m4a-aac.m4a'))).text).toMatch(TEXT)

    const form = new FormData()
    form.append('file', Bun.file(formats('wav-s16.wav')))
    const created = await fetch(`${url}/captures?wait=false`, { method: 'POST', body: form })
    expect(created.status).toBe(202)
    const { id } = (await created.json()) as { id: string }

    await kill()
    await start()
    const capture = await until(async () => {
      const found = (await (await fetch(`${url}/captures/${id}`)).json()) as Record<string, string>
      return found.status === 'completed' ? found : null
    })
    expect(capture.transcript_raw).toMatch(TEXT)
  })
})

test.skipIf(!canHaveEmptyRoot)(
  'starts its children from the running version after an update',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'dictation-update-'))
    const file = join(folder, 'dictation')
    await cp(join(project, 'dist', HERE, 'dictation'), file)
    const server = await startServer({ program: [file, SCRIPT_FLAG, 'src/main.ts'] })
    try {
      await until(() => server.log().some(({ msg }) => msg === 'model loaded'), { timeoutMs: 60_000 })
      const update = join(folder, 'update')
      await writeFile(update, '#!/bin/sh\nexit 1\n', { mode: 0o755 })
      await rename(update, file)
      for (const pid of childrenOf(server.pid)) process.kill(pid, 'SIGKILL')
      const body = new FormData()
      body.append('file', Bun.file(formats('wav-s16.wav')))
      const response = await fetch(`${server.url}/transcribe`, { method: 'POST', body })
      expect(((await response.json()) as { text: string }).text).toMatch(TEXT)
    } finally {
      await server.stop()
      await rm(folder, { recursive: true })
    }
  },
  120_000,
)
