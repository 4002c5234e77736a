// The documentation page in a real browser without a network: it loads, and a recording is transcribed on it.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { hasBrowser, openBrowser } from '../support/browser.ts'
import { type RunningServer, startServer } from '../support/server.ts'
import { recording, speechFolder, wordsApart } from '../support/speech.ts'

const FILE = 'short-01.flac'

describe.skipIf(!hasBrowser)('/docs in Chromium with every name unresolvable', () => {
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
    test(`shows every route under ${name}, asks for nothing elsewhere and finds no fault`, async () => {
      const url = server.url.replace('127.0.0.1', name)
      const page = await browser.newPage()
      const requested: string[] = []
      const faults: string[] = []
      page.on('request', (request) => requested.push(request.url()))
      page.on('console', (message) => message.type() === 'error' && faults.push(message.text()))
      page.on('pageerror', (error) => faults.push(error.message))
      await page.goto(`${url}/docs`)
      await page.waitForSelector('.opblock')

      const document = (await (await fetch(`${server.url}/docs/json`)).json()) as {
        paths: object
        webhooks: object
      }
      const shown = [...Object.values(document.paths), ...Object.values(document.webhooks)]
      const operations = shown.flatMap(Object.keys)
      expect(await page.locator('.opblock').count()).toBe(operations.length)
      expect(faults).toEqual([])
      expect(
        requested.filter((address) => !address.startsWith(`${url}/`) && !address.startsWith('data:')),
      ).toEqual([])
      await page.close()
    }, 60_000)
  }

  test('transcribes a recording that is uploaded through "Try it out"', async () => {
    const page = await browser.newPage()
    const faults: string[] = []
    page.on('console', (message) => message.type() === 'error' && faults.push(message.text()))
    await page.goto(`${server.url}/docs`)
    const operation = page.locator('#operations-transcription-transcribe')
    await operation.locator('.opblock-summary-control').click()
    await operation.locator('input[type=file]').setInputFiles(join(speechFolder, FILE))
    await operation.locator('button.execute').click()
    const answer = operation.locator('.live-responses-table .response')
    await answer.waitFor({ timeout: 240_000 })
    const shown = (await answer.textContent()) ?? ''
    const text = /"text": "([^"]*)"/.exec(shown)?.[1]
    expect(shown).toContain('200')
    expect(wordsApart(text ?? '', recording(FILE).reference)).toBeLessThanOrEqual(1)
    expect(faults).toEqual([])
    await page.close()
  }, 300_000)
})
