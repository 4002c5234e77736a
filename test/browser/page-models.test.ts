// The models on the page, with a model hub on this computer, checked through the API.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { createProbeModel } from '../../src/engine/probe-model.ts'
import { type Hub, startHub } from '../models/hub.ts'
import { hasBrowser, openBrowser } from '../support/browser.ts'
import { openPage } from '../support/page.ts'
import { expectGoodLooks } from '../support/page-looks.ts'
import { type RunningServer, startServer } from '../support/server.ts'
import { recordingFile } from '../support/speech.ts'
import { until } from '../support/until.ts'

const HUB_NAME = 'ada/models/ggml-swiss.bin'

describe.skipIf(!hasBrowser)('the models on the page', () => {
  let hub: Hub
  let server: RunningServer
  let browser: Browser
  let folder: string
  const model = createProbeModel()
  const patience = { timeoutMs: 60_000 }

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'dictation-page-models-'))
    await Bun.write(join(folder, 'ggml-mine.bin'), model)
    await Bun.write(join(folder, 'ggml-broken.bin'), new Uint8Array(100))
    hub = await startHub({ [HUB_NAME]: model })
    server = await startServer({ env: { HF_ENDPOINT: hub.url } })
    browser = await openBrowser()
  }, 120_000)
  afterAll(async () => {
    await browser?.close()
    await server?.[Symbol.asyncDispose]()
    await hub?.[Symbol.asyncDispose]()
    await rm(folder, { recursive: true, force: true })
  })

  type Listed = { model_name: string; loaded: boolean; downloaded: boolean }
  const listed = async (name: string): Promise<Listed | undefined> => {
    const { models } = (await (await fetch(`${server.url}/models/status`)).json()) as { models: Listed[] }
    return models.find(({ model_name }) => model_name === name)
  }
  const inUse = async () => {
    const health = (await (await fetch(`${server.url}/health`)).json()) as {
      default_model: { model_name: string }
    }
    return health.default_model.model_name
  }
  const open = () => openPage(browser, server.url, { path: '/models' })

  test('another model is activated, loaded and unloaded, and the choice is handed back to the server', async () => {
    const { page, faults, close } = await open()
    await page.click('button[aria-label="Use this model: Base"]')
    await until(async () => (await inUse()) === 'base-q5_1', patience)
    await page.waitForSelector('.used:has-text("Your choice.") h3:text-is("Base")')
    await page.click('button[aria-label="Load Base"]')
    await page.waitForSelector('button[aria-label="Unload Base"]')
    expect((await listed('base-q5_1'))?.loaded).toBe(true)
    await page.click('button[aria-label="Unload Base"]')
    await until(async () => (await listed('base-q5_1'))?.loaded === false, patience)
    await page.click('text=Choose automatically')
    await until(async () => (await inUse()) === 'tiny.en-q5_1', patience)
    expect(faults).toEqual([])
    await close()
  }, 180_000)

  test('a model of the hub is downloaded with progress, and deleted after confirmation', async () => {
    hub.pace.bytesPerSecond = model.length / 2
    const { page, faults, close } = await open()
    await page.click('summary:has-text("Other model file")')
    await page.fill('#models-hub', HUB_NAME)
    await page.keyboard.press('Enter')
    await page.waitForSelector('progress')
    await page.waitForSelector('h3:has-text("swiss")', { timeout: 30_000 })
    const { model_name: name } = (await until(() => listed('swiss'), patience))!
    hub.pace.bytesPerSecond = null
    await page.click(`button[aria-label="Delete ${name}"]`)
    await page.click('dialog[open] button:has-text("Cancel")')
    expect((await listed(name))?.downloaded).toBe(true)
    await page.click(`button[aria-label="Delete ${name}"]`)
    await page.click('dialog[open] button.danger')
    await until(async () => (await listed(name)) === undefined, patience)
    await page.waitForSelector('h3:has-text("swiss")', { state: 'detached' })
    expect(faults).toEqual([])
    await close()
  }, 180_000)

  test('a download is cancelled, and a failed one shows the reason and can be cleared', async () => {
    hub.pace.bytesPerSecond = 1000
    const { page, close } = await openPage(browser, server.url, { path: '/models' })
    await page.click('summary:has-text("Other model file")')
    await page.fill('#models-hub', HUB_NAME)
    await page.click('#models-hub + button')
    await page.click('button[aria-label^="Cancel:"]')
    await page.waitForSelector('progress', { state: 'detached' })
    hub.pace.bytesPerSecond = null
    await page.fill('#models-hub', 'ada/models/ggml-nowhere.bin')
    await page.click('#models-hub + button')
    await page.waitForSelector('.models .fault:has-text("failed")')
    await page.click('text=Clear failed downloads')
    await page.waitForSelector('.models .fault:has-text("failed")', { state: 'detached' })
    await close()
  }, 180_000)

  test('a model file is uploaded, and an invalid one is rejected next to the field', async () => {
    const { page, close } = await openPage(browser, server.url, { path: '/models', allowed: [/422/] })
    await page.setInputFiles('#models-file', join(folder, 'ggml-broken.bin'))
    await page.click('button:has-text("Import")')
    await page.waitForSelector('#models-file-fault:not(:empty)')
    await page.setInputFiles('#models-file', join(folder, 'ggml-mine.bin'))
    await page.fill('#models-name', 'my-own')
    await page.click('button:has-text("Import")')
    await page.waitForSelector('h3:has-text("my-own")')
    expect((await listed('my-own'))?.downloaded).toBe(true)
    await close()
  }, 180_000)

  test('the speed measured here is shown for a model that has transcribed something', async () => {
    const form = new FormData()
    form.set('file', recordingFile('human-1.flac'), 'human-1.flac')
    const created = await fetch(`${server.url}/captures`, { method: 'POST', body: form })
    expect(created.status).toBe(201)
    const { page, close } = await open()
    await page.waitForSelector('.model:has-text("Tiny, English") dd:has-text("per minute of speech")')
    await close()
  }, 180_000)

  test('passes axe, and nothing is wider than the screen', async () => {
    await expectGoodLooks(browser, server.url, {
      path: '/models',
      ready: (page) => page.waitForSelector('.offered'),
    })
  }, 180_000)
})
