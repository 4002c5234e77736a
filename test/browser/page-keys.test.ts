import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Browser, Page } from 'playwright-core'
import { hasBrowser } from '../support/browser.ts'
import { expectSoon } from '../support/expect-soon.ts'
import {
  type MicrophoneBrowser,
  openMicrophoneBrowser,
  SENTENCE_AND_PAUSE,
} from '../support/microphone-browser.ts'
import { openPage } from '../support/page.ts'
import { expectGoodLooks, expectGoodLooksOf } from '../support/page-looks.ts'
import type { RunningServer } from '../support/server.ts'

const PATIENCE = { timeout: 120_000 }
const ON = 'button[data-record]:has-text("Stop")'
const OFF = 'button[data-record]:has-text("Start")'
const LIST = 'dialog.shortcuts'

describe.skipIf(!hasBrowser)('the keys of the page', () => {
  let server: RunningServer
  let browser: Browser
  let world: MicrophoneBrowser
  beforeAll(async () => {
    world = await openMicrophoneBrowser(SENTENCE_AND_PAUSE)
    ;({ server, browser } = world)
  }, 120_000)
  afterAll(() => world?.[Symbol.asyncDispose]())

  const open = (path = '/') => openPage(browser, server.url, { path })
  const change = async (page: Page, what: string, keys: string) => {
    await page.click(`${LIST} [aria-label="Change: ${what}"]`)
    await page.keyboard.press(keys)
  }
  const shown = (page: Page, what: string) =>
    page.textContent(`${LIST} .field:has(.label:has-text("${what}")) kbd`)

  test('are listed by ? and from the navigation, but not while typing, and Escape closes the list', async () => {
    const { page, faults, close } = await open('/dictionary')
    await page.keyboard.press('?')
    await page.waitForSelector(LIST)
    expect(await page.textContent(LIST)).toContain('next and previous unsure word')
    await page.keyboard.press('Escape')
    await page.waitForSelector(LIST, { state: 'detached' })
    await page.fill('input[type=search]', '')
    await page.keyboard.press('?')
    await expectSoon(() => page.inputValue('input[type=search]'), '?')
    expect(await page.locator(LIST).count()).toBe(0)
    await page.click('nav [popovertarget]')
    await page.click('nav >> text=Keyboard shortcuts')
    await page.waitForSelector(LIST)
    expect(faults).toEqual([])
    await close()
  }, 180_000)

  test('for recording are configured by pressing them, work with any focus, and are stored', async () => {
    const { page, faults, close } = await open()
    await page.keyboard.press('?')
    await change(page, 'Record (hold or press)', 'Control+Alt+r')
    expect(await shown(page, 'Record')).toBe('Ctrl+Alt+R')
    await page.keyboard.press('Escape')
    await page.reload()
    await page.waitForSelector('.hint kbd:has-text("Ctrl+Alt+R")')
    await page.keyboard.press('Space')
    await page.waitForSelector(OFF)
    await page.click('.choicesform summary')
    await page.focus('#stop-after')
    await page.keyboard.down('Control')
    await page.keyboard.down('Alt')
    await page.keyboard.down('r')
    await page.waitForSelector(ON, PATIENCE)
    await page.waitForSelector('.words >> text=report', PATIENCE)
    await page.keyboard.up('Alt')
    await page.waitForSelector('.outcome', PATIENCE)
    await page.keyboard.up('r')
    await page.keyboard.up('Control')
    await page.waitForSelector(OFF)
    expect(faults).toEqual([])
    await close()
  }, 300_000)

  test('may be a single character, which is still typed in text fields', async () => {
    const { page, faults, close } = await open()
    await page.keyboard.press('r')
    await page.waitForSelector(OFF)
    await page.click('.choicesform summary')
    await page.click('.choicesform [aria-label^="Change:"]')
    await page.keyboard.press('r')
    await page.waitForSelector('.hint kbd:has-text("R")')
    await page.click('h1')
    await page.keyboard.press('r')
    await page.waitForSelector(ON, PATIENCE)
    await page.keyboard.press('r')
    await page.waitForSelector(OFF, PATIENCE)
    await page.click('.choicesform [aria-label^="Back to Space"]')
    await page.waitForSelector('.hint kbd:has-text("Space")')
    expect(faults).toEqual([])
    await close()
  }, 300_000)

  test('of the browser, of the page and of other shortcuts are rejected with the reason', async () => {
    const { page, faults, close } = await open()
    await page.keyboard.press('?')
    await change(page, 'Record (hold or press)', 'Control+Shift+p')
    await page.waitForSelector(`${LIST} [role=alert] >> text=Ctrl+Shift+P is reserved by the browser`)
    await page.keyboard.press('F7')
    await page.waitForSelector(`${LIST} [role=alert] >> text=F7 is reserved by the browser or this page`)
    await page.keyboard.press('F8')
    expect(await shown(page, 'Record')).toBe('F8')
    await change(page, 'This list', 'F8')
    await page.waitForSelector(`${LIST} [role=alert] >> text=F8 is already used: Record`)
    await page.keyboard.press('Escape')
    expect(await shown(page, 'This list')).toBe('?')
    expect(await page.locator(LIST).count()).toBe(1)
    expect(faults).toEqual([])
    await close()
  }, 180_000)

  test('for search open it from every view; a shortcut that is switched off does nothing, and can be restored', async () => {
    const { page, faults, close } = await open('/settings')
    await page.keyboard.press('Control+k')
    await page.waitForSelector('.search input:focus')
    await expectSoon(() => page.textContent('h1'), 'Recordings')
    await page.keyboard.press('Control+k')
    await page.goto(`${server.url}/#/settings`)
    await page.waitForSelector('h1:has-text("Settings")')
    await page.keyboard.press('?')
    await change(page, 'Search all recordings', 'Alt+s')
    await page.click(`${LIST} [aria-label="Off: This list"]`)
    await page.keyboard.press('Escape')
    await page.reload()
    await page.waitForSelector('h1:has-text("Settings")')
    await page.keyboard.press('?')
    await page.keyboard.press('Control+k')
    expect(await page.locator(LIST).count()).toBe(0)
    expect(await page.textContent('h1')).toBe('Settings')
    await page.keyboard.press('Alt+s')
    await page.waitForSelector('.search input:focus')
    await page.click('nav [popovertarget]')
    await page.click('nav >> text=Keyboard shortcuts')
    await page.click(`${LIST} [aria-label="Back to ?: This list"]`)
    expect(await shown(page, 'This list')).toBe('?')
    expect(faults).toEqual([])
    await close()
  }, 180_000)

  test('passes axe with the list, and nothing is wider than the screen', async () => {
    await expectGoodLooks(browser, server.url, {
      path: '/captures',
      ready: (page) => page.keyboard.press('?').then(() => page.waitForSelector(LIST)),
    })
    const { page, close } = await open()
    await page.click('.choicesform summary')
    await page.click('.choicesform [aria-label^="Change:"]')
    await page.keyboard.press('F5')
    await page.waitForSelector('.choicesform [role=alert] >> text=F5 is reserved')
    await expectGoodLooksOf(page)
    await close()
  }, 180_000)
})
