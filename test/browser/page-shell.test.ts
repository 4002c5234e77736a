// Navigation by keys, language, theme, and an unreachable server.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Browser } from 'playwright-core'
import { hasBrowser, openBrowser } from '../support/browser.ts'
import { expectSoon } from '../support/expect-soon.ts'
import { accessibilityFaults, openPage } from '../support/page.ts'
import { expectGoodLooks } from '../support/page-looks.ts'
import { type RunningServer, startServer } from '../support/server.ts'
import { formOf } from '../support/speech.ts'

describe.skipIf(!hasBrowser)('the page in Chromium, with all DNS lookups failing', () => {
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

  test('loads without an error and requests nothing from other hosts', async () => {
    const { page, faults, close } = await openPage(browser, server.url)
    await expectSoon(() => page.title(), 'Record – Local Dictation')
    expect(faults).toEqual([])
    await close()
  }, 180_000)

  test('starts with a skip link for keyboard users', async () => {
    const { page, close } = await openPage(browser, server.url)
    await page.keyboard.press('Tab')
    await expectSoon(() => page.evaluate('document.activeElement.textContent'), 'Skip to content')
    await page.keyboard.press('Enter')
    await expectSoon(() => page.evaluate('document.activeElement.id'), 'view')
    await close()
  }, 180_000)

  test('uses the language of the browser, or a chosen one, which is stored', async () => {
    const { page, faults, close } = await openPage(browser, server.url, { locale: 'de-AT' })
    await expectSoon(() => page.title(), 'Aufnehmen – Local Dictation')
    await page.click('nav [popovertarget]')
    await page.selectOption('select:has(option[lang=en])', 'en')
    await page.waitForFunction("document.title === 'Record – Local Dictation'")
    await page.reload()
    await page.waitForFunction("document.title === 'Record – Local Dictation'")
    expect(await page.evaluate('document.documentElement.lang')).toBe('en')
    expect(faults).toEqual([])
    await close()
  }, 180_000)

  test('uses the theme of the system, or a chosen one, from the first paint', async () => {
    const { page, close } = await openPage(browser, server.url, { colorScheme: 'dark' })
    const background = () => page.evaluate('getComputedStyle(document.body).backgroundColor')
    const dark = await background()
    await page.click('nav [popovertarget]')
    await page.selectOption('select:has(option[value=light])', 'light')
    const light = await background()
    expect(dark).not.toBe(light)
    await page.reload()
    await page.waitForSelector('h1')
    expect(await background()).toBe(light)
    await close()
  }, 180_000)

  test('on a phone names taps, offers no keys, and has controls as large as a finger', async () => {
    const { page, faults, close } = await openPage(browser, server.url, {
      ...{ viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true },
    })
    await page.waitForSelector('text=Tap and speak')
    await page.waitForSelector('label.chip')
    expect(await page.locator('kbd:visible').count()).toBe(0)
    await page.tap('nav [popovertarget]')
    await page.waitForSelector('nav a:has-text("API")')
    expect(await page.locator('text=Keyboard shortcuts').count()).toBe(0)
    const small = await page.$$eval('nav a, button, label.chip', (controls) =>
      controls.filter((one) => one.checkVisibility() && one.getBoundingClientRect().height < 44),
    )
    expect(small).toEqual([])
    expect(faults).toEqual([])
    await close()
  }, 180_000)

  test('lists all views at the side, and in a small window the rare ones under More, by keyboard, too', async () => {
    const { page, faults, close } = await openPage(browser, server.url)
    const shown = () => page.locator('nav a:visible').allTextContents()
    await expectSoon(async () => (await shown()).length, 10)
    await page.setViewportSize({ width: 390, height: 844 })
    expect(await shown()).toEqual(['Record', 'Files', 'Recordings'])
    const menu = page.locator('nav .menu')
    await page.focus('nav [popovertarget]')
    await page.keyboard.press('Enter')
    await menu.waitFor()
    await page.keyboard.press('ArrowDown')
    await expectSoon(() => page.evaluate('document.activeElement.textContent'), 'Dictionary')
    await page.keyboard.press('Escape')
    await menu.waitFor({ state: 'hidden' })
    await expectSoon(() => page.evaluate("document.activeElement.hasAttribute('popovertarget')"), true)
    await page.keyboard.press('Space')
    await menu.waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
    await page.mouse.click(10, 300)
    await menu.waitFor({ state: 'hidden' })
    await page.click('nav [popovertarget]')
    await page.click('nav .menu a >> text=Models')
    await page.waitForSelector('h1:has-text("Models")')
    await menu.waitFor({ state: 'hidden' })
    expect(faults).toEqual([])
    await close()
  }, 180_000)

  test('leads to the search from every view, and lists the latest recordings, with dates as the browser writes them', async () => {
    const { page, faults, close } = await openPage(browser, server.url, {
      path: '/settings',
      locale: 'en-GB',
    })
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    expect(await page.locator('.recent').count()).toBe(0)
    const body = await formOf('short-01.flac', { source: 'file' })
    const made = await fetch(`${server.url}/captures?wait=true`, { method: 'POST', body })
    await page.click('.recent a:has-text("short-01.flac")')
    await page.waitForSelector('.transcript .said')
    expect(page.url()).toEndWith((await made.json()).id)
    await page.waitForSelector('.recent a[aria-current=page]')
    expect(await page.textContent('.facts time')).toMatch(/^\d{1,2} \p{L}+ \d{4}, \d{2}:\d{2}$/u)
    await page.click('.find')
    await page.waitForSelector('.search input:focus')
    // The view of the capture was still there while the list loaded.
    expect(asked.filter((url) => url.includes('undefined'))).toEqual([])
    expect(faults).toEqual([])
    await close()
  }, 180_000)

  test('reports an unknown view at an unknown address', async () => {
    const { page, close } = await openPage(browser, server.url, { path: '/nothing/at/all' })
    await expectSoon(() => page.textContent('h1'), 'Page not found')
    await close()
  }, 180_000)

  test('reports that the server is unreachable, and that it is back', async () => {
    const own = await startServer()
    const { page, close } = await openPage(browser, own.url, {
      allowed: [/ERR_CONNECTION/, /ERR_INCOMPLETE/],
    })
    await own.kill()
    await page.waitForSelector('.gone')
    const port = new URL(own.url).port
    const again = await startServer({ dataFolder: own.dataFolder, env: { PORT: port } })
    await page.click('.gone button')
    await page.waitForSelector('.gone', { state: 'detached' })
    await close()
    await again.stop()
    await own[Symbol.asyncDispose]()
  }, 120_000)

  test('passes axe in both themes at three widths, and nothing is wider than the screen', async () => {
    await expectGoodLooks(browser, server.url, { path: '/', ready: (page) => page.waitForSelector('h1') })
  }, 180_000)
})
