// The page while the browser translates it (test/support/translation.ts): its texts keep changing, and nothing breaks.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { APIResponse, Browser, Page } from 'playwright-core'
import { hasBrowser } from '../support/browser.ts'
import { expectSoon } from '../support/expect-soon.ts'
import {
  type MicrophoneBrowser,
  openMicrophoneBrowser,
  SENTENCE_AND_PAUSE,
} from '../support/microphone-browser.ts'
import { openPage } from '../support/page.ts'
import type { RunningServer } from '../support/server.ts'
import { translatePage } from '../support/translation.ts'
import { until } from '../support/until.ts'

const PATIENCE = { timeout: 120_000 }

/** Inside a translation, so that the test knows the text was visible. */
const shows = (page: Page, where: string, words: string | RegExp) =>
  page.locator(`${where}:has(font)`).filter({ hasText: words }).first().waitFor(PATIENCE)

describe.skipIf(!hasBrowser)('the page while the browser translates it', () => {
  let server: RunningServer
  let browser: Browser
  let world: MicrophoneBrowser
  beforeAll(async () => {
    world = await openMicrophoneBrowser(SENTENCE_AND_PAUSE)
    ;({ server, browser } = world)
  }, 120_000)
  afterAll(() => world?.[Symbol.asyncDispose]())

  for (const how of ['replaced', 'joined', 'after'] as const)
    test(`records with a running clock, and shows the text (texts are ${how})`, async () => {
      const { page, faults, close } = await openPage(browser, server.url)
      await translatePage(page, { how })
      await shows(page, 'h1', '‹Record›')
      await page.click('button[data-record]')
      await shows(page, '.clock', /^‹0:01›$/)
      // A loaded computer records some of the audio late.
      await shows(page, '.clock', /^‹0:06›$/)
      await page.click('button[data-record]')
      await page.waitForSelector('.outcome .words', PATIENCE)
      await shows(page, '.outcome .words', /^‹.*report.*›$/)
      // No earlier text is left over.
      expect(await page.locator('text=Listening').count()).toBe(0)
      await expectAsUntranslated(page, '.recorder')
      expect(faults).toEqual([])
      await close()
    }, 300_000)

  test('shows every view with its own words', async () => {
    const { page, faults, close } = await openPage(browser, server.url)
    // Both pages show the same server uptime in seconds and the same free disk space.
    const answers = new Map<string, APIResponse>()
    await page.context().route(/\/health(\/filesystem)?$/, async (route) => {
      const address = route.request().url()
      const response = answers.get(address) ?? (await route.fetch())
      answers.set(address, response)
      await route.fulfill({ response })
    })
    await translatePage(page)
    for (const [path, title] of [
      ['files', 'Files'],
      ['captures', 'Recordings'],
      ['dictionary', 'Dictionary'],
      ['settings', 'Settings'],
      ['writing-styles', 'Writing styles'],
      ['commands', 'Commands'],
      ['jobs', 'Jobs'],
      ['statistics', 'Statistics'],
      ['models', 'Models'],
      ['', 'Record'],
    ] as const) {
      await page.evaluate(`location.hash = '#/${path}'`)
      await expectSoon(() => page.textContent('h1'), `‹${title}›`)
      await expectAsUntranslated(page, 'main')
    }
    expect(faults).toEqual([])
    await close()
  }, 120_000)

  test('lists what is added and removed, edits a text, and changes its language', async () => {
    const { page, faults, close } = await openPage(browser, server.url, { path: '/dictionary' })
    await translatePage(page)
    const amount = () => page.textContent('.dictionary [role=status]')
    const before = await amount()
    await fetch(`${server.url}/dictionary`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ type: 'term', word: 'Anthropology' }),
    })
    await page.fill('input[type=search]', 'Anthropology')
    await shows(page, '.dictionary', '‹Anthropology›')
    expect(await amount()).not.toBe(before)
    await page.fill('input[type=search]', '')
    await page.click('nav [popovertarget]')
    await page.selectOption('select:has(option[lang=de])', 'de')
    await shows(page, 'h1', '‹Wörterbuch›')
    expect(await page.locator('nav >> text=Dictionary').count()).toBe(0)
    expect(faults).toEqual([])
    await close()
  }, 120_000)
})

/** The same words as in an untranslated page at the same address. */
async function expectAsUntranslated(page: Page, where: string): Promise<void> {
  const plain = await page.context().newPage()
  await plain.goto(page.url())
  const wordsOf = async (one: Page) => (await one.textContent(where))!.replace(/[‹›]/g, '')
  let [shown, expected]: string[] = []
  await until(
    async () => {
      ;[shown, expected] = await Promise.all([page, plain].map(wordsOf))
      return shown === expected
    },
    { what: () => `${shown} to be ${expected}` },
  )
  await plain.close()
}
