// The record view, with a microphone that plays test/speech.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Browser } from 'playwright-core'
import { hasBrowser } from '../support/browser.ts'
import { expectSoon } from '../support/expect-soon.ts'
import {
  type MicrophoneBrowser,
  openMicrophoneBrowser,
  removeAllCaptures,
} from '../support/microphone-browser.ts'
import { openPage } from '../support/page.ts'
import { expectGoodLooksOf } from '../support/page-looks.ts'
import { type RunningServer, startServer } from '../support/server.ts'
import { recording, recordingFile, wordsApart } from '../support/speech.ts'
import { until } from '../support/until.ts'

const TOKEN = 'a-token-of-more-than-sixteen-letters'
const SAMPLE = 'human-1.flac'
/** Short, because the page and the engine work for as long as it lasts; repeated after a pause. */
const SPOKEN = 'short-03.flac'
/** Longer than any test records after the sentence. */
const PAUSE_SECONDS = 8
/** For a busy machine. */
const PATIENCE = { timeout: 120_000 }
/** Not a certain second, which a busy machine may miss: the clock shows it only once. */
const HAS_BEGUN = '.clock:not(:has-text("0:00"))'
/** Of 10 words: on a busy machine the browser's microphone drops some audio. */
const MAX_WRONG = 3
const WITHIN = { timeoutMs: 120_000 }

describe.skipIf(!hasBrowser)('the record view, in Chromium with a microphone', () => {
  let server: RunningServer
  let browser: Browser
  let world: MicrophoneBrowser
  beforeAll(async () => {
    world = await openMicrophoneBrowser([SPOKEN, PAUSE_SECONDS])
    ;({ server, browser } = world)
  }, 120_000)
  afterAll(() => world?.[Symbol.asyncDispose]())

  test('shows the text of the sample without requesting the microphone, if there is no capture yet', async () => {
    await removeAllCaptures(server)
    const { page, faults, close } = await openPage(browser, server.url)
    await page.click('text=Try the sample')
    await page.waitForSelector('.outcome .words', PATIENCE)
    const text = (await page.textContent('.outcome .words'))!
    expect(wordsApart(text, recording(SAMPLE).reference)).toBeLessThanOrEqual(1)
    expect(faults).toEqual([])
    await close()
  }, 300_000)

  test('a slow transcription shows its progress and the time left, and can be cancelled', async () => {
    await removeAllCaptures(server)
    const { page, faults, close } = await openPage(browser, server.url)
    // Replaces the sample, whose transcription is too short to observe.
    const body = Buffer.from(await recordingFile('long-3-minutes.flac').arrayBuffer())
    await page.route('**/page/sample.mp3', (route) => route.fulfill({ body, contentType: 'audio/mpeg' }))
    await page.click('text=Try the sample')
    await page.waitForSelector('.taken progress', PATIENCE)
    await page.waitForSelector('.taken >> text=/\\d+\\s?% · about .+ left/', PATIENCE)
    await page.click('.taken >> text=Cancel')
    await page.waitForSelector('.outcome >> text=The transcription was cancelled.', PATIENCE)
    await page.click('.outcome >> text=Transcribe again')
    await page.waitForSelector('.taken progress', PATIENCE)
    await page.click('.taken >> text=Cancel')
    await page.waitForSelector('.outcome >> text=The transcription was cancelled.', PATIENCE)
    expect(faults).toEqual([])
    await close()
  }, 300_000)

  test('shows live text, then the final text, which is copied when it says so, and a capture', async () => {
    const { page, faults, close } = await openPage(browser, server.url, {
      permissions: ['clipboard-read', 'clipboard-write'],
    })
    await page.click('button[data-record]')
    await until(async () => (await page.title()).startsWith('● 0:0'), WITHIN)
    await until(async () => (await page.textContent('.words'))?.includes('report'), WITHIN)
    expect(await page.textContent('button[data-record]')).toBe('Stop recording')
    await until(async () => (await page.textContent('.words'))?.match(/report.*Laura.*Friday/s), WITHIN)
    await page.keyboard.press('Enter')
    await page.waitForSelector('.outcome', PATIENCE)
    await expectSoon(() => page.evaluate('document.activeElement.textContent'), 'Copy')
    await expectSoon(() => page.title(), 'Record – Local Dictation')
    await page.keyboard.press('Enter')
    await page.waitForSelector('text=Copied')
    const text = await page.evaluate<string>('navigator.clipboard.readText()')
    expect(wordsApart(text, recording(SPOKEN).reference)).toBeLessThanOrEqual(MAX_WRONG)

    const link = await page.waitForSelector('.outcome a', PATIENCE)
    const id = (await link.getAttribute('href'))!.replace('#/captures/', '')
    const capture = await until(async () => {
      const found = await (await fetch(`${server.url}/captures/${id}`)).json()
      return found.status === 'completed' && found
    }, WITHIN)
    expect(capture).toMatchObject({ source: 'dictation', audio_type: 'audio/wav' })
    expect(wordsApart(capture.text, recording(SPOKEN).reference)).toBeLessThanOrEqual(MAX_WRONG)
    expect(faults).toEqual([])
    await close()
  }, 300_000)

  test('is shown in every other view while recording, with its time and a stop button', async () => {
    const { page, faults, close } = await openPage(browser, server.url)
    const shown = page.locator('header .recordingnow')
    expect(await shown.count()).toBe(0)
    await page.click('button[data-record]')
    await page.waitForSelector('.recorder .clock', PATIENCE)
    // The record view has its own.
    expect(await page.getByRole('button', { name: 'Stop recording' }).count()).toBe(1)
    for (const view of ['Files', 'Recordings', 'Dictionary', 'Settings']) {
      await page.click(`nav a:has-text("${view}")`)
      await page.waitForSelector(`h1:has-text("${view}")`)
      await shown.waitFor(PATIENCE)
      expect(await shown.textContent()).toMatch(/^Recording in progress \d:\d\dStop recording$/)
    }
    await until(async () => /0:(0[2-9]|[1-5]\d)|[1-9]:\d\d/.test((await shown.textContent())!), WITHIN)
    await expectGoodLooksOf(page)
    await shown.getByRole('button', { name: 'Stop recording' }).click()
    await expectSoon(() => shown.count(), 0)
    await page.click('nav a:has-text("Record")')
    await page.waitForSelector('.outcome .sound', PATIENCE)
    expect(faults).toEqual([])
    await close()
  }, 300_000)

  test('when stopped before the first word, says that it is transcribing instead of listening', async () => {
    const { page, faults, close } = await openPage(browser, server.url, { script: neverHears })
    await page.click('button[data-record]')
    await page.waitForSelector(HAS_BEGUN, PATIENCE)
    await page.click('button[data-record]')
    await page.waitForSelector('.taken >> text=Transcribing', PATIENCE)
    expect(await page.locator('.taken .words').count()).toBe(0)
    await page.waitForSelector('.outcome', PATIENCE)
    expect(faults).toEqual([])
    await close()
  }, 300_000)

  test('ends by itself after silence if configured, and the preference is stored', async () => {
    const { page, faults, close } = await openPage(browser, server.url)
    await page.click('.choicesform summary')
    await page.selectOption('#stop-after', '2')
    await page.reload()
    await page.waitForSelector('h1')
    await expectSoon(() => page.inputValue('#stop-after'), '2')
    await page.click('button[data-record]')
    await page.waitForSelector('.outcome .words', PATIENCE)
    await expectSoon(() => page.textContent('button[data-record]'), 'Start recording')
    expect(faults).toEqual([])
    await close()
  }, 300_000)

  test('records on a server that requires a token', async () => {
    await using own = await startServer({ env: { DICTATION_TOKEN: TOKEN } })
    const context = await browser.newContext({ locale: 'en-US' })
    const page = await context.newPage()
    await page.goto(`${own.url}/`)
    await page.fill('input[name=token]', TOKEN)
    await page.click('button')
    await page.click('button[data-record]', PATIENCE)
    await until(async () => (await page.textContent('.words'))?.includes('report'), WITHIN)
    await page.keyboard.press('Enter')
    await page.waitForSelector('.outcome a', PATIENCE)
    await context.close()
  }, 300_000)
})

/** Runs in the page: a stream that never returns a word. */
const neverHears = `
  WebSocket.prototype.send = function () {}
`
