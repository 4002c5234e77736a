// The offer of a better model after the first result, and the permanent list of first steps in the settings.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Browser, Page } from 'playwright-core'
import { CATALOGUE } from '../../src/models/catalogue.ts'
import { type Hub, startHub } from '../models/hub.ts'
import { hasBrowser, openBrowser } from '../support/browser.ts'
import { openPage } from '../support/page.ts'
import { expectGoodLooks, expectGoodLooksOf } from '../support/page-looks.ts'
import { type RunningServer, startServer } from '../support/server.ts'
import { formOf } from '../support/speech.ts'
import { until } from '../support/until.ts'

const PATIENCE = { timeout: 120_000 }
const OFFERED = CATALOGUE.find(({ name }) => name === 'small-q5_1')!

describe.skipIf(!hasBrowser)('the first steps', () => {
  let hub: Hub
  let server: RunningServer
  let browser: Browser
  beforeAll(async () => {
    // The right length, and slow: only the start and the progress of the download matter.
    hub = await startHub({ [`${OFFERED.repository}/${OFFERED.file}`]: new Uint8Array(OFFERED.bytes) })
    hub.tells.etag = false
    hub.pace.bytesPerSecond = 8_000_000
    server = await startServer({ env: { HF_ENDPOINT: hub.url } })
    browser = await openBrowser()
  }, 120_000)
  afterAll(async () => {
    await browser?.close()
    await server?.[Symbol.asyncDispose]()
    await hub?.[Symbol.asyncDispose]()
  })

  const downloads = async () =>
    ((await (await fetch(`${server.url}/tasks/active`)).json()) as { downloads: { model_name: string }[] })
      .downloads
  const cancel = () =>
    fetch(`${server.url}/models/download/cancel`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ model_name: OFFERED.name }),
    })
  /** Tries the sample as if this computer were fast: a slow one is not offered a slower model. */
  const tried = async (page: Page) => {
    await page.route(/\/captures\/[-0-9a-f]+$/, async (route) => {
      const response = await route.fetch()
      const capture = await response.json()
      if (capture.status === 'completed') capture.processing_ms.transcribe = 300
      await route.fulfill({ response, json: capture })
    })
    await page.click('text=Try the sample')
    await page.waitForSelector('.outcome .offer', PATIENCE)
  }

  test('list in the settings what was done, and link to the rest', async () => {
    const { page, faults, close } = await openPage(browser, server.url, { path: '/settings?section=steps' })
    await page.waitForSelector('.steps li:has-text("Record something") a')
    expect(await page.locator('.steps .badge').count()).toBe(0)
    await page.click('.steps button:has-text("Keyboard shortcuts")')
    await page.waitForSelector('dialog.shortcuts')
    await page.keyboard.press('Escape')
    await page.waitForSelector('.steps button:has-text("Download (190 MB)")')
    await page.click('.steps a:has-text("Record")')
    await page.waitForSelector('h1:has-text("Record")')
    expect(faults).toEqual([])
    await close()
  }, 180_000)

  test('offer a better model next to the first result, with its size and its time for this clip, without any download', async () => {
    const { page, faults, close } = await openPage(browser, server.url)
    await tried(page)
    expect(await page.textContent('.offer p')).toBe(
      'The model “Small, English” (190 MB) makes fewer mistakes. It needs about 3.3 sec for this recording instead of 0.3 sec.',
    )
    expect(await downloads()).toEqual([])
    expect(hub.requests).toEqual([])
    await expectGoodLooksOf(page)
    expect(faults).toEqual([])
    await close()
  }, 180_000)

  test('download the model on request in the background, and show progress', async () => {
    await fetch(`${server.url}/captures?wait=false`, { method: 'POST', body: await formOf('short-02.flac') })
    const { page, faults, close } = await openPage(browser, server.url, { path: '/settings?section=steps' })
    await page.click('.steps button:has-text("Download (190 MB)")', PATIENCE)
    await until(async () => (await downloads()).length === 1)
    await page.waitForSelector('.steps progress', PATIENCE)
    await until(async () => Number(await page.getAttribute('.steps progress', 'value')) > 0, {
      timeoutMs: 60_000,
    })
    await page.waitForSelector('.steps li:has-text("Record something") .badge:has-text("done")')
    await cancel()
    await page.waitForSelector('.steps button:has-text("Download (190 MB)")', PATIENCE)
    expect(faults).toEqual([])
    await close()
  }, 180_000)

  test('are not offered again after a dismissal, but stay in the settings', async () => {
    await using own = await startServer()
    const { page, faults, close } = await openPage(browser, own.url)
    await tried(page)
    await page.click('.offer >> text=No, thanks')
    await page.waitForSelector('.toast >> text=Dismissed')
    await page.waitForSelector('.offer', { state: 'detached' })
    await page.goto(`${own.url}/#/settings?section=steps`)
    await page.waitForSelector('.steps button:has-text("Download (190 MB)")')
    await page.reload()
    await page.goto(`${own.url}/#/captures`)
    const sample = await page.waitForSelector('a.open')
    expect(await sample.textContent()).toContain('Sample')
    expect(await page.evaluate("localStorage.getItem('first-steps.model')")).toBe('dismissed')
    expect(faults).toEqual([])
    await close()
  }, 180_000)

  test('passes axe with the list, and nothing is wider than the screen', async () => {
    await expectGoodLooks(browser, server.url, {
      path: '/settings?section=steps',
      ready: (page) => page.waitForSelector('.steps button:has-text("Download")'),
    })
  }, 180_000)
})
