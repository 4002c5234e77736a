// Views of an unreachable server offer a retry, and load by themselves when it is back.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Browser } from 'playwright-core'
import { hasBrowser, openBrowser } from '../support/browser.ts'
import { accessibilityFaults, openPage } from '../support/page.ts'
import { type RunningServer, startServer } from '../support/server.ts'

const VIEWS = [
  { path: 'models', comesBack: '.model' },
  { path: 'settings', comesBack: '#setting-language' },
  { path: 'dictionary', comesBack: '.dictionary [role=status]' },
  { path: 'writing-styles', comesBack: '.stylelist' },
  { path: 'commands', comesBack: '.commands details' },
  { path: 'statistics', comesBack: 'text=No recordings in this period' },
  { path: 'jobs', comesBack: 'text=No jobs are running' },
]

describe.skipIf(!hasBrowser)('a view without its server', () => {
  let first: RunningServer
  let server: RunningServer
  let browser: Browser
  beforeAll(async () => {
    first = await startServer()
    server = first
    browser = await openBrowser()
  }, 180_000)
  afterAll(async () => {
    await browser?.close()
    await server?.stop()
    // Its data folder is removed with it.
    await first?.stop()
  })

  async function startAgain(): Promise<void> {
    const { url, dataFolder } = server
    server = await startServer({ dataFolder, env: { PORT: new URL(url).port } })
    expect(server.url).toBe(url)
  }

  test('loads by itself when the server is back, if its code had not loaded before', async () => {
    const { page, close } = await openPage(browser, server.url, { allowed: [/ERR_/] })
    await server.kill()
    await page.click('nav a:has-text("Recordings")')
    await page.waitForSelector('main [role=alert]:has-text("Can’t reach the server")')
    expect(await page.locator('text=have been updated').count()).toBe(0)
    expect(await accessibilityFaults(page)).toEqual([])
    await startAgain()
    await page.waitForSelector('h1:has-text("Recordings")', { timeout: 60_000 })
    await page.waitForSelector('main [role=alert]', { state: 'detached' })
    await close()
  }, 180_000)

  test('reports the failure, can be retried, and loads when the server is back', async () => {
    const { page, close } = await openPage(browser, server.url, { allowed: [/ERR_/] })
    const goTo = (path: string) => page.evaluate(`location.hash = '#/${path}'`)
    // Loads the code of each view once, while the server is running.
    for (const { path, comesBack } of VIEWS) {
      await goTo(path)
      await page.waitForSelector(comesBack)
    }
    await server.kill()
    for (const { path } of VIEWS) {
      await goTo(path)
      await page.waitForSelector('main [role=alert]:has-text("Can’t reach the server")')
      await page.waitForSelector('main button:has-text("Retry")')
      expect(await accessibilityFaults(page)).toEqual([])
    }
    await startAgain()
    // For a view that did not load by itself while the server was starting.
    await page.evaluate("document.querySelector('.gone button')?.click()")
    await page.waitForSelector(VIEWS.at(-1)!.comesBack)
    for (const { path, comesBack } of VIEWS) {
      await goTo(path)
      await page.waitForSelector(comesBack)
    }
    await close()
  }, 180_000)
})
