import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { hasBrowser, openBrowser } from '../support/browser.ts'
import { accessibilityFaults } from '../support/page.ts'
import { type RunningServer, startServer } from '../support/server.ts'
import { recording, speechFolder, wordsApart } from '../support/speech.ts'

const FILE = 'short-01.flac'

/** Records the field names of each form that the page sends: Chromium does not expose the body of an upload. */
const RECORD_FIELDS = `
  const send = fetch
  globalThis.sentFields = []
  globalThis.fetch = (address, init) => {
    if (init?.body instanceof FormData) sentFields.push(...init.body.keys())
    return send(address, init)
  }`

describe.skipIf(!hasBrowser)('/docs in Chromium, with all DNS lookups failing', () => {
  let server: RunningServer
  let browser: Browser
  beforeAll(async () => {
    server = await startServer()
    browser = await openBrowser()
  }, 120_000)
  afterAll(async () => {
    await browser?.close()
    await server?.[Symbol.asyncDispose]()
  })

  for (const name of ['127.0.0.1', 'localhost']) {
    test(`shows every route under ${name}, requests nothing from other hosts and logs no error`, async () => {
      const url = server.url.replace('127.0.0.1', name)
      const page = await browser.newPage()
      const requested: string[] = []
      const faults: string[] = []
      page.on('request', (request) => requested.push(request.url()))
      page.on('console', (message) => message.type() === 'error' && faults.push(message.text()))
      page.on('pageerror', (error) => faults.push(error.message))
      await page.goto(`${url}/docs`)
      await page.waitForSelector('.opblock-tag')

      const document = (await (await fetch(`${server.url}/docs/json`)).json()) as {
        paths: object
        webhooks: object
        tags: object[]
      }
      const resources = page.locator('.opblock-tag')
      const operations = page.locator('.opblock')
      expect(await resources.count()).toBe(document.tags.length)
      // A stranger starts with these; the doors for other servers' clients are last.
      await page.waitForSelector('#operations-transcription-transcribe')
      await page.waitForSelector('#operations-captures-createCapture')
      expect(document.tags.at(-1)).toMatchObject({ name: 'compatibility' })
      const closed = page.locator('.opblock-tag[data-is-open=false]')
      while ((await closed.count()) > 0) await closed.first().click()
      const shown = [...Object.values(document.paths), ...Object.values(document.webhooks)]
      expect(await operations.count()).toBe(shown.flatMap(Object.keys).length)
      expect(faults).toEqual([])
      expect(
        requested.filter((address) => !address.startsWith(`${url}/`) && !address.startsWith('data:')),
      ).toEqual([])
      await page.close()
    }, 180_000)
  }

  test('transcribes a recording uploaded through "Try it out"', async () => {
    const page = await browser.newPage()
    const faults: string[] = []
    page.on('console', (message) => message.type() === 'error' && faults.push(message.text()))
    await page.addInitScript(RECORD_FIELDS)
    await page.goto(`${server.url}/docs`)
    await page.fill('.operation-filter-input', 'transcribe recording post transcription')
    const operation = page.locator('#operations-transcription-transcribe')
    await operation.locator('.opblock-summary-control').click()
    await operation.locator('input[type=file]').setInputFiles(join(speechFolder, FILE))
    // Form fields do not appear as query parameters as well.
    expect(await operation.locator('[data-param-name=model]').count()).toBe(0)
    expect(await operation.locator('[data-property-name=model]').count()).toBe(1)
    // Empty fields appear neither in the sample nor in the request.
    const sample = operation.locator('.samples code')
    expect(await sample.textContent()).toBe(`curl ${server.url}/transcribe \\\n  -F file=@${FILE}`)
    await operation.locator('button.execute').click()
    const answer = operation.locator('.live-responses-table .response')
    await answer.waitFor({ timeout: 240_000 })
    expect(await page.evaluate('sentFields')).toEqual(['file'])
    const shown = (await answer.textContent()) ?? ''
    const text = /"text": "([^"]*)"/.exec(shown)?.[1]
    expect(shown).toContain('200')
    expect(wordsApart(text ?? '', recording(FILE).reference)).toBeLessThanOrEqual(1)
    expect(faults).toEqual([])
    await page.close()
  }, 300_000)

  test('opens an operation by its address, links its problems to their documentation, and supports dark mode', async () => {
    const page = await browser.newPage({ colorScheme: 'dark' })
    await page.goto(`${server.url}/docs#/captures/getCapture`)
    await page.waitForSelector('#operations-captures-getCapture [aria-label=id]')
    expect(await accessibilityFaults(page)).toEqual([])
    await page.click('.fails-with a:text-is("capture_not_found")')
    await page.waitForSelector('#problem-capture_not_found:has-text("There is no such capture")')
    const background = await page.evaluate('getComputedStyle(document.body).backgroundColor')
    expect(background).toBe('rgb(18, 22, 23)')
    expect(await page.getAttribute('.home a', 'href')).toBe('/')
    await page.close()
  }, 180_000)
})
