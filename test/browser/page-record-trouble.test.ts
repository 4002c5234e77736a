// Recording when something breaks: cancelled by mistake, no microphone, server killed, tab closed.

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import type { Browser, Page } from 'playwright-core'
import { hasBrowser, openBrowser } from '../support/browser.ts'
import {
  type MicrophoneBrowser,
  openMicrophoneBrowser,
  removeAllCaptures,
  SENTENCE_AND_PAUSE,
} from '../support/microphone-browser.ts'
import { accessibilityFaults, openPage } from '../support/page.ts'
import { expectGoodLooksOf } from '../support/page-looks.ts'
import { type RunningServer, startServer } from '../support/server.ts'
import { until } from '../support/until.ts'

const PATIENCE = { timeout: 120_000 }
const WITHIN = { timeoutMs: 120_000 }
/** Resolves to the server, but is not trusted by browsers. */
const NAME = 'dictation.test'
const GONE = [/ERR_CONNECTION/, /ERR_INCOMPLETE/, /WebSocket/]

/** Waits until this much is recorded. */
const recorded = (page: Page, seconds: number) =>
  until(async () => {
    const [, minutes, rest] = /^● (\d+):(\d+)/.exec(await page.title()) ?? []
    return Number(minutes) * 60 + Number(rest) >= seconds
  }, WITHIN)

const listOf = async (url: string, query = '') => (await fetch(`${url}/captures?${query}`)).json()

const only = (url: string, query = '') =>
  until(async () => {
    const { items } = await listOf(url, query)
    return items.length === 1 && items[0].duration_ms !== null && items[0]
  }, WITHIN)

describe.skipIf(!hasBrowser)('a recording on the page in trouble', () => {
  let server: RunningServer
  let browser: Browser
  let world: MicrophoneBrowser
  const env = { DICTATION_HOSTS: NAME }
  beforeAll(async () => {
    world = await openMicrophoneBrowser(SENTENCE_AND_PAUSE, { env })
    ;({ server, browser } = world)
  }, 120_000)
  beforeEach(() => removeAllCaptures(server))
  afterAll(async () => {
    if (server !== world?.server) await server.stop()
    await world?.[Symbol.asyncDispose]()
  })

  test('held Space records until it is released, with the half second before it', async () => {
    const { page, faults, close } = await openPage(browser, server.url, { permissions: ['microphone'] })
    await page.evaluate(noteSpace)
    // Audio flows after a user gesture; the microphone is open already.
    await page.keyboard.press('Shift')
    await until(() => page.evaluate(wasLoudFor, 600), WITHIN)
    await page.keyboard.down('Space')
    await recorded(page, 3)
    expect(await page.textContent('button[data-record]')).toBe('Stop recording')
    await page.keyboard.up('Space')
    await page.waitForSelector('.outcome', PATIENCE)
    const heldMs = await page.evaluate<number>('window.spaceHeldMs')
    expect((await only(server.url)).duration_ms).toBeGreaterThan(heldMs + 400)
    expect(faults).toEqual([])
    await close()
  }, 300_000)

  test('Escape cancels it into the trash, and Undo restores it with its text', async () => {
    const { page, faults, close } = await openPage(browser, server.url)
    await page.click('button[data-record]')
    await recorded(page, 4)
    await page.keyboard.press('Escape')
    await page.waitForSelector('.toast')
    await until(async () => (await listOf(server.url, 'trashed=true')).total === 1, WITHIN)
    await page.keyboard.press('Control+z')
    await page.waitForSelector('.outcome .words', PATIENCE)
    expect((await only(server.url)).text).not.toBe('')
    expect((await listOf(server.url, 'trashed=true')).total).toBe(0)
    expect(faults).toEqual([])
    await close()
  }, 300_000)

  test('continues when the server is killed, and is uploaded exactly once when it is back', async () => {
    const { page, close } = await openPage(browser, server.url, { allowed: GONE })
    await page.click('button[data-record]')
    await recorded(page, 2)
    await server.kill()
    await page.waitForSelector('.gone', PATIENCE)
    await recorded(page, 6)
    await page.click('button[data-record]')
    await page.waitForSelector('text=safe in this browser', PATIENCE)
    expect(await page.locator('.taken >> text=Recording continues').count()).toBe(0)
    const { port } = new URL(server.url)
    server = await startServer({ dataFolder: server.dataFolder, env: { ...env, PORT: port } })
    await page.waitForSelector('.outcome .words', PATIENCE)
    expect((await only(server.url)).duration_ms).toBeGreaterThanOrEqual(6000)
    await close()
  }, 300_000)

  test('is shown and stopped also if a restarted server requires its token', async () => {
    const locked = { DICTATION_TOKEN: 'a-token-of-more-than-sixteen-letters' }
    const own = await startServer({ env: locked })
    const { page, close } = await openPage(browser, own.url, { allowed: [...GONE, /401/] })
    const signIn = async () => {
      await page.fill('input[name=token]', locked.DICTATION_TOKEN)
      await page.click('button[type=submit]')
      await page.waitForSelector('nav')
    }
    await signIn()
    await page.click('button[data-record]')
    await recorded(page, 2)
    await own.kill()
    const { port } = new URL(own.url)
    const again = await startServer({ dataFolder: own.dataFolder, env: { ...locked, PORT: port } })
    await page.waitForSelector('input[name=token]', PATIENCE)
    expect(await accessibilityFaults(page)).toEqual([])
    await page.click('.recordingnow button')
    await page.waitForSelector('.recordingnow', { state: 'detached' })
    expect((await page.title()).startsWith('●')).toBe(false)
    await signIn()
    await page.waitForSelector('.outcome .words', PATIENCE)
    await close()
    await again.stop()
    await own[Symbol.asyncDispose]()
  }, 300_000)

  test('survives its tab: all but the last second is offered at the next load, and uploaded', async () => {
    const { page, close } = await openPage(browser, server.url)
    await page.click('button[data-record]')
    await recorded(page, 5)
    const next = await page.context().newPage()
    await page.close({ runBeforeUnload: false })
    await next.goto(`${server.url}/`)
    await next.waitForSelector('.leftover', PATIENCE)
    expect((await listOf(server.url)).total).toBe(0)
    expect(await accessibilityFaults(next)).toEqual([])
    await next.click('.leftover button.primary')
    await next.waitForSelector('.outcome', PATIENCE)
    expect((await only(server.url)).duration_ms).toBeGreaterThanOrEqual(4000)
    await next.reload()
    await next.waitForSelector('h1')
    expect(await next.locator('.leftover').count()).toBe(0)
    await close()
  }, 300_000)

  test('says what to do if the microphone is denied, or if there is none', async () => {
    const denying = await openBrowser({ microphone: { ...world.clip, isAllowed: false } })
    const without = await openBrowser()
    for (const [which, permissions, says] of [
      [denying, [], 'Your browser blocked the microphone'],
      [without, ['microphone'], 'No microphone found'],
    ] as const) {
      const { page, close } = await openPage(which, server.url, { permissions: [...permissions] })
      await page.click('button[data-record]')
      await page.waitForSelector(`text=${says}`, PATIENCE)
      expect(await accessibilityFaults(page)).toEqual([])
      await close()
    }
    await denying.close()
    await without.close()
  }, 300_000)

  test('says where the microphone works, in an insecure context', async () => {
    const elsewhere = await openBrowser({ loopbackNames: [NAME], microphone: world.clip })
    const { port } = new URL(server.url)
    const { page, faults, close } = await openPage(elsewhere, `http://${NAME}:${port}`, {
      // The header only works in a secure context, and Chromium logs that.
      allowed: [/Cross-Origin-Opener-Policy/],
    })
    expect(await page.evaluate('isSecureContext')).toBe(false)
    await page.click('button[data-record]')
    await page.waitForSelector('[role=alert] >> text=Browsers block the microphone at this address.')
    await page.waitForSelector('text=Open http://127.0.0.1 or http://localhost with the port of this server')
    expect(await accessibilityFaults(page)).toEqual([])
    // Everything else works there: server events are shown, and files are accepted.
    await page.click('text=Try the sample')
    await page.waitForSelector('.outcome .words', PATIENCE)
    await page.click('text=Transcribe a file instead')
    await page.waitForSelector('h1:has-text("Files")')
    expect(faults).toEqual([])
    await close()
    await elsewhere.close()
  }, 300_000)

  test('says that another program may have the microphone, if the browser cannot read it', async () => {
    const { page, faults, close } = await openPage(browser, server.url, { script: inUse })
    await page.click('button[data-record]')
    await page.waitForSelector('text=The microphone can’t be opened. Another app may be using it', PATIENCE)
    expect(faults).toEqual([])
    await close()
  }, 300_000)

  test('uses the chosen microphone, also after a reload, and says so if it is unavailable', async () => {
    const { page, faults, close } = await openPage(browser, server.url, { permissions: ['microphone'] })
    await page.click('.choicesform summary')
    await page.waitForSelector('#microphone option:has-text("Fake Audio Input 2")', { state: 'attached' })
    await page.selectOption('#microphone', { label: 'Fake Audio Input 2' })
    await page.reload()
    await page.click('.choicesform summary')
    const chosen = await page.waitForSelector('#microphone option:checked', { state: 'attached' })
    await until(async () => (await chosen.textContent()) === 'Fake Audio Input 2', WITHIN)
    await page.click('button[data-record]')
    await recorded(page, 1)
    await page.keyboard.press('Escape')
    await page.evaluate("localStorage.setItem('record.microphone', 'unplugged')")
    await page.reload()
    await page.click('.choicesform summary')
    await page.waitForSelector('#microphone option:checked:has-text("not connected")', { state: 'attached' })
    await page.click('button[data-record]')
    await recorded(page, 1)
    await page.waitForSelector('text=Your chosen microphone is not connected. Using the system default.')
    expect(faults).toEqual([])
    await close()
  }, 300_000)

  test('continues with another microphone when the current one is unplugged', async () => {
    const { page, faults, close } = await openPage(browser, server.url, { script: noteTracks })
    await page.click('button[data-record]')
    await recorded(page, 2)
    await page.evaluate('unplug()')
    await page.waitForSelector('.toast >> text=Now using the system default', PATIENCE)
    await recorded(page, 4)
    await page.keyboard.press('Enter')
    await page.waitForSelector('.outcome .words', PATIENCE)
    expect(faults).toEqual([])
    await close()
  }, 300_000)

  test('stores what was said when the only microphone is unplugged, and says what to do', async () => {
    const { page, faults, close } = await openPage(browser, server.url, { script: noteTracks })
    await page.click('button[data-record]')
    await recorded(page, 4)
    await page.evaluate('unplug({ andAllOthers: true })')
    await page.waitForSelector(
      '[role=alert] >> text=The microphone was disconnected. What you said until then',
      PATIENCE,
    )
    await page.waitForSelector('.outcome .words', PATIENCE)
    expect((await only(server.url)).duration_ms).toBeGreaterThanOrEqual(3500)
    expect(await accessibilityFaults(page)).toEqual([])
    await page.evaluate('plugIn()')
    await page.click('button[data-record]')
    await recorded(page, 1)
    expect(await page.locator('text=The microphone was disconnected').count()).toBe(0)
    expect(faults).toEqual([])
    await close()
  }, 300_000)

  test('passes axe before, during and after a recording, in both themes at three widths', async () => {
    const { page, close } = await openPage(browser, server.url)
    await expectGoodLooksOf(page)
    await page.click('button[data-record]')
    await recorded(page, 1)
    await expectGoodLooksOf(page)
    await page.click('button[data-record]')
    await page.waitForSelector('.outcome', PATIENCE)
    await expectGoodLooksOf(page)
    await close()
  }, 300_000)
})

/** Runs in the page: a microphone in use by another program, as browsers report it. */
const inUse = `navigator.mediaDevices.getUserMedia = async () => {
  throw new DOMException('Could not start audio source', 'NotReadableError')
}`

/** Runs in the page: makes its tracks accessible, so that the test can end them as unplugging does. */
const noteTracks = `
  const open = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices)
  let tracks = []
  let isThere = true
  navigator.mediaDevices.getUserMedia = async (wanted) => {
    if (!isThere) throw new DOMException('Requested device not found', 'NotFoundError')
    const stream = await open(wanted)
    tracks.push(...stream.getAudioTracks())
    return stream
  }
  window.unplug = ({ andAllOthers = false } = {}) => {
    isThere = !andAllOthers
    for (const track of tracks.splice(0)) {
      track.stop()
      track.dispatchEvent(new Event('ended'))
    }
  }
  window.plugIn = () => (isThere = true)
`

/** Runs in the page: how long Space was held, by the timestamps of its events. */
function noteSpace() {
  const kept = window as unknown as { spaceHeldMs: number }
  let downAt: number | null = null
  window.addEventListener('keydown', ({ key, timeStamp }) => {
    if (key === ' ') downAt ??= timeStamp
  })
  window.addEventListener('keyup', ({ key, timeStamp }) => {
    if (key === ' ' && downAt !== null) kept.spaceHeldMs = timeStamp - downAt
  })
}

/** Runs in the page: whether the level moved that long ago. */
function wasLoudFor(ms: number) {
  const kept = window as unknown as { loudAt?: number }
  const button = document.querySelector('button[data-record]')!
  const isLoud = Number(getComputedStyle(button).getPropertyValue('--level')) > 0
  if (isLoud) kept.loudAt ??= performance.now()
  return kept.loudAt !== undefined && performance.now() - kept.loudAt > ms
}
