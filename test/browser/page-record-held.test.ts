// Push-to-talk and everything that ends it. Minutes pass by the browser's fake clock; the microphone is Chromium's own.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Browser, Page } from 'playwright-core'
import { hasBrowser } from '../support/browser.ts'
import {
  type MicrophoneBrowser,
  openMicrophoneBrowser,
  SENTENCE_AND_PAUSE,
} from '../support/microphone-browser.ts'
import { accessibilityFaults, openPage } from '../support/page.ts'
import type { RunningServer } from '../support/server.ts'
import { until } from '../support/until.ts'

const PATIENCE = { timeout: 120_000 }
const WITHIN = { timeoutMs: 120_000 }
const MINUTE = 60_000
const BUTTON = 'button[data-record]'

describe.skipIf(!hasBrowser)('a held recording', () => {
  let server: RunningServer
  let browser: Browser
  let world: MicrophoneBrowser
  beforeAll(async () => {
    world = await openMicrophoneBrowser(SENTENCE_AND_PAUSE)
    ;({ server, browser } = world)
  }, 120_000)
  afterAll(() => world?.[Symbol.asyncDispose]())

  const total = async () => (await (await fetch(`${server.url}/captures`)).json()).total as number
  /** With a clock that the test can advance. */
  const open = async () => {
    const opened = await openPage(browser, server.url, { permissions: ['microphone'] })
    await opened.page.clock.install()
    await opened.page.reload()
    await opened.page.waitForSelector('h1')
    return opened
  }
  const isRecording = (page: Page) => page.waitForSelector(`${BUTTON}:has-text("Stop")`, PATIENCE)
  /** Waits for live text, which takes some seconds of audio. */
  const speak = (page: Page) =>
    until(async () => (await page.textContent('.words'))?.includes('report'), WITHIN)
  /** Holds the button by pointer, with some speech. */
  const holdButton = async (page: Page) => {
    await page.click('.choicesform summary')
    await page.selectOption('#press-mode', 'hold')
    await page.hover(BUTTON)
    await page.mouse.down()
    await isRecording(page)
    await speak(page)
  }
  /** Waits for the capture and its text. */
  const isKept = async (page: Page, before: number) => {
    await page.waitForSelector('.outcome .words', PATIENCE)
    await until(async () => (await total()) === before + 1, WITHIN)
    const { text } = await until(async () => {
      const { items } = await (await fetch(`${server.url}/captures?limit=1`)).json()
      return items[0].status === 'completed' && items[0]
    }, WITHIN)
    expect(text).toContain('report')
  }

  test('the button records while a pointer holds it, wherever the pointer is released', async () => {
    const { page, faults, close } = await open()
    const before = await total()
    await holdButton(page)
    await page.mouse.move(5, 5)
    await isRecording(page)
    await page.mouse.up()
    await isKept(page, before)
    expect(await page.textContent(BUTTON)).toBe('Start recording')
    expect(faults).toEqual([])
    await close()
  }, 300_000)

  test('a held button ends when the page is hidden', async () => {
    const { page, faults, close } = await open()
    const before = await total()
    await holdButton(page)
    await page.evaluate("window.dispatchEvent(new Event('blur'))")
    await isKept(page, before)
    await page.mouse.up()
    expect(await page.textContent(BUTTON)).toBe('Start recording')
    expect(faults).toEqual([])
    await close()
  }, 300_000)

  test('a key released after more than a minute ends it, and all of it is stored', async () => {
    const { page, faults, close } = await open()
    const before = await total()
    await page.keyboard.down('Space')
    await isRecording(page)
    await page.clock.fastForward(1.5 * MINUTE)
    await speak(page)
    await isRecording(page)
    await page.keyboard.up('Space')
    await isKept(page, before)
    expect(faults).toEqual([])
    await close()
  }, 300_000)

  test('ends by itself after two minutes with a warning before, and the recording is stored', async () => {
    const { page, faults, close } = await open()
    const before = await total()
    await page.keyboard.down('Space')
    await isRecording(page)
    await speak(page)
    expect(await page.locator('text=Held for nearly two minutes').count()).toBe(0)
    await page.clock.fastForward(110_000)
    await page.waitForSelector('[role=status] >> text=Held for nearly two minutes', PATIENCE)
    expect(await accessibilityFaults(page)).toEqual([])
    await isRecording(page)
    await page.clock.fastForward(10_000)
    await page.waitForSelector('.toast >> text=Stopped after two minutes of holding', PATIENCE)
    await isKept(page, before)
    await page.keyboard.up('Space')
    expect(await page.textContent(BUTTON)).toBe('Start recording')
    expect(await page.locator('text=Held for nearly two minutes').count()).toBe(0)
    expect(faults).toEqual([])
    await close()
  }, 300_000)

  test('a press without a hold has no time limit, nor has a recording after a cancelled hold', async () => {
    const { page, faults, close } = await open()
    await page.keyboard.down('Space')
    await isRecording(page)
    await page.keyboard.press('Escape')
    await page.keyboard.up('Space')
    await page.waitForSelector(`${BUTTON}:has-text("Start")`, PATIENCE)
    await page.click(BUTTON)
    await isRecording(page)
    await page.clock.fastForward(3 * MINUTE)
    await speak(page)
    await isRecording(page)
    expect(await page.locator('text=Held for nearly two minutes').count()).toBe(0)
    await page.click(BUTTON)
    await page.waitForSelector('.outcome .words', PATIENCE)
    expect(faults).toEqual([])
    await close()
  }, 300_000)
})
