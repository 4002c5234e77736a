// The page in a browser that stores nothing for it, because all site data is blocked or its database never answers.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, chromium, type Page } from 'playwright-core'
import { browserLaunch, hasBrowser } from '../support/browser.ts'
import { expectSoon } from '../support/expect-soon.ts'
import {
  type MicrophoneBrowser,
  openMicrophoneBrowser,
  SENTENCE_AND_PAUSE,
} from '../support/microphone-browser.ts'
import { accessibilityFaults, openPage, watchPage } from '../support/page.ts'
import type { RunningServer } from '../support/server.ts'

const PATIENCE = { timeout: 120_000 }
const STORES_NOTHING = '[role=status]:has-text("This browser can’t store data for this page.")'

describe.skipIf(!hasBrowser)('the page in a browser', () => {
  let server: RunningServer
  let browser: Browser
  let world: MicrophoneBrowser
  beforeAll(async () => {
    world = await openMicrophoneBrowser(SENTENCE_AND_PAUSE)
    ;({ server, browser } = world)
  }, 120_000)
  afterAll(() => world?.[Symbol.asyncDispose]())

  const total = async () => (await (await fetch(`${server.url}/captures`)).json()).total

  /** Records, and waits for the text. */
  async function expectRecorded(page: Page, says: string): Promise<void> {
    const before = await total()
    await page.click('button[data-record]')
    await page.waitForSelector('.words >> text=report', PATIENCE)
    await page.waitForSelector(`[role=status] >> text=${says}`, PATIENCE)
    await page.click('button[data-record]')
    await page.waitForSelector('.outcome .words', PATIENCE)
    await page.waitForSelector('.outcome .sound', PATIENCE)
    expect(await total()).toBe(before + 1)
  }

  test('with all site data blocked works without storage, and says so', async () => {
    const profile = await mkdtemp(join(tmpdir(), 'dictation-profile-'))
    await mkdir(join(profile, 'Default'))
    const preferences = { profile: { default_content_setting_values: { cookies: 2 } } }
    await Bun.write(join(profile, 'Default/Preferences'), JSON.stringify(preferences))
    const context = await chromium.launchPersistentContext(profile, {
      ...browserLaunch({ microphone: { ...world.clip, loop: true } }),
      locale: 'en-US',
    })
    const { page, faults } = await watchPage(await context.newPage(), server.url)
    expect(await page.evaluate(storageFaults)).toEqual([
      'localStorage',
      'sessionStorage',
      'indexedDB',
      'locks',
    ])
    await page.waitForSelector(STORES_NOTHING)
    expect(await accessibilityFaults(page)).toEqual([])
    await expectRecorded(page, 'Keep this tab open until the transcript appears')
    // Preferences last until the page closes.
    await page.click('nav [popovertarget]')
    await page.selectOption('select:has(option[value=dark])', 'dark')
    await page.selectOption('select:has(option[lang=de])', 'de')
    await expectSoon(() => page.evaluate('document.documentElement.dataset.theme'), 'dark')
    await page.waitForSelector(
      '[role=status]:has-text("Dieser Browser kann für diese Seite nichts speichern.")',
    )
    for (const path of [
      'files',
      'captures',
      'dictionary',
      'settings',
      'writing-styles',
      'commands',
      'jobs',
      'models',
    ]) {
      await page.evaluate(`location.hash = '#/${path}'`)
      await expectSoon(() => page.locator('h1').count(), 1)
      await expectSoon(() => page.locator('main >> text=Wird geladen').count(), 0)
    }
    // Server events are shown without a reload.
    await page.evaluate("location.hash = '#/captures'")
    await page.waitForSelector('.capturerow')
    await page.click('button:has-text("Schließen")')
    await expectSoon(() => page.locator('text=nichts speichern').count(), 0)
    expect(faults).toEqual([])
    await context.close()
    await rm(profile, { recursive: true, force: true })
  }, 300_000)

  test('whose database never answers treats it as refused, and uploads the recording', async () => {
    const { page, faults, close } = await openPage(browser, server.url, { script: neverOpens })
    await expectRecorded(page, 'Keep this tab open until the transcript appears')
    expect(faults).toEqual([])
    await close()
  }, 300_000)

  test('whose database stops answering during a recording uploads the recording as well', async () => {
    const { page, faults, close } = await openPage(browser, server.url, { script: stopsWriting })
    await page.click('button[data-record]')
    await page.waitForSelector('.clock:not(:has-text("0:00"), :has-text("0:01"))', PATIENCE)
    await page.evaluate('window.stopWriting()')
    await page.waitForSelector('[role=status] >> text=Keep this tab open', PATIENCE)
    await page.click('button[data-record]')
    await page.waitForSelector('.outcome .sound', PATIENCE)
    expect(faults).toEqual([])
    await close()
  }, 300_000)
})

/** Runs in the page: the kinds of storage that the browser refuses. */
async function storageFaults(): Promise<string[]> {
  const tries: Record<string, () => unknown> = {
    localStorage: () => localStorage,
    sessionStorage: () => sessionStorage,
    indexedDB: () =>
      new Promise((resolve, reject) => {
        const request = indexedDB.open('probe')
        request.onsuccess = resolve
        request.onerror = () => reject(request.error)
      }),
    locks: () => navigator.locks.query(),
  }
  const refused: string[] = []
  for (const [name, attempt] of Object.entries(tries)) {
    try {
      await attempt()
    } catch {
      refused.push(name)
    }
  }
  return refused
}

/** Runs in the page, before its scripts: imitates WebKit bug 226547. */
const neverOpens = 'indexedDB.open = () => ({})'

const stopsWriting = `
  let isStopped = false
  window.stopWriting = () => (isStopped = true)
  const { transaction } = IDBDatabase.prototype
  IDBDatabase.prototype.transaction = function (...given) {
    const begun = transaction.apply(this, given)
    if (isStopped && given[1] === 'readwrite')
      for (const name of ['oncomplete', 'onabort']) Object.defineProperty(begun, name, { set() {} })
    return begun
  }
`
