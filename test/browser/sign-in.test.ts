// Signing in with the token in a real browser, including other ports of the computer, the documentation, and a page of
// another origin that opens sockets with tickets.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Browser, Page } from 'playwright-core'
import { hasBrowser, openBrowser } from '../support/browser.ts'
import { expectSoon } from '../support/expect-soon.ts'
import { accessibilityFaults, openPage } from '../support/page.ts'
import { type RunningServer, startServer } from '../support/server.ts'
import { recordingFile } from '../support/speech.ts'
import { until } from '../support/until.ts'

const TOKEN = 'a-token-of-more-than-sixteen-letters'
const FIELD = 'input[name=token]'
/** Browsers log a 401 whatever the page does about it. */
const allowed = [/401/]

describe.skipIf(!hasBrowser)('the page of a server with a token, in Chromium', () => {
  let server: RunningServer
  let browser: Browser
  let captureId: string
  /** another program on another port */
  const seen: string[] = []
  const stranger = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch(request) {
      seen.push([request.url, ...request.headers.values()].join('\n'))
      return new Response('<!doctype html>', { headers: { 'content-type': 'text/html' } })
    },
  })
  beforeAll(async () => {
    const env = { DICTATION_TOKEN: TOKEN, DICTATION_ORIGINS: `http://localhost:${stranger.port}` }
    server = await startServer({ env })
    browser = await openBrowser()
    captureId = await keep('human-1.flac')
  }, 240_000)
  afterAll(async () => {
    await browser?.close()
    await stranger.stop(true)
    await server?.[Symbol.asyncDispose]()
  })

  const keep = async (file: string): Promise<string> => {
    const form = new FormData()
    form.set('file', recordingFile(file), 'said')
    const kept = await fetch(`${server.url}/captures?wait=true`, {
      method: 'POST',
      headers: { authorization: `Bearer ${TOKEN}` },
      body: form,
    })
    return ((await kept.json()) as { id: string }).id
  }

  const signIn = async (page: Page) => {
    await page.fill(FIELD, TOKEN)
    await page.click('button[type=submit]')
    await page.waitForSelector('nav')
  }

  test('asks for the token, rejects a wrong one, and shows the view for the right one', async () => {
    const { page, faults, close } = await openPage(browser, server.url, { path: '/captures', allowed })
    await page.waitForSelector(FIELD)
    expect(await accessibilityFaults(page)).toEqual([])
    await page.fill(FIELD, 'not the token')
    await page.click('button[type=submit]')
    await expectSoon(() => page.textContent('[role=alert]'), 'Wrong token. Try again.')
    await signIn(page)
    await page.waitForSelector('text=And so my fellow Americans')
    await page.reload()
    await page.waitForSelector('text=And so my fellow Americans')
    expect(faults).toEqual([])
    await close()
  }, 120_000)

  test('sets no cookie, and sends nothing of the session to another port of the computer', async () => {
    const { page, close } = await openPage(browser, server.url, { path: '/captures', allowed })
    await signIn(page)
    expect(await page.context().cookies()).toEqual([])
    const secret = await page.evaluate(() => sessionStorage.getItem('dictation.session'))
    expect(secret).toMatch(/^[\w-]{43}$/)
    seen.length = 0
    await page.goto(`http://127.0.0.1:${stranger.port}/`)
    expect(seen.length).toBeGreaterThan(0)
    expect(seen.join('\n')).not.toContain(secret!)
    expect(seen.join('\n')).not.toContain(TOKEN)
    expect(await page.evaluate(() => sessionStorage.getItem('dictation.session'))).toBeNull()
    await close()
  }, 120_000)

  test('plays, downloads and receives events, none of which can send a header', async () => {
    const path = `/captures/${captureId}`
    const { page, faults, close } = await openPage(browser, server.url, { path, allowed })
    const parts: string[] = []
    page.on('response', (response) => {
      if (response.url().includes('/audio?ticket=')) parts.push(String(response.status()))
    })
    const stream = page.waitForResponse((response) => response.url().includes('/events?ticket='))
    await signIn(page)
    expect((await stream).status()).toBe(200)
    await page.keyboard.press('Control+End')
    await expectSoon(async () => parts.length > 0 && parts.every((status) => /^20[06]$/.test(status)), true)
    const loaded = await page.evaluate(playedByTicket, `/captures/${captureId}/audio`)
    expect(loaded).toBeGreaterThan(5)
    await page.click('.actions [title=Download]')
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.click('a[download]:has-text("SRT")'),
    ])
    expect(download.suggestedFilename()).toEndWith('.srt')
    expect(await Bun.file(await download.path()).text()).toContain('-->')
    expect(faults).toEqual([])
    await close()
  }, 120_000)

  test('plays a recording with a gap as it was transcribed', async () => {
    const path = `/captures/${await keep('timestamps/gap-of-17s.webm')}`
    const { page, faults, close } = await openPage(browser, server.url, { path, allowed })
    const statuses: number[] = []
    page.on('response', (response) => {
      if (response.url().includes('/audio?format=wav')) statuses.push(response.status())
    })
    await signIn(page)
    await until(() => statuses.length > 0)
    await page.fill('.player input[type=range]', '15')
    await page.click('.player [aria-label=Play]')
    await expectSoon(async () => (await page.textContent('.player .place'))!.startsWith('0:16'), true)
    expect(statuses.filter((status) => status !== 206)).toEqual([])
    expect(faults).toEqual([])
    await close()
  }, 120_000)

  test('asks for the token again when the session has ended', async () => {
    const { page, close } = await openPage(browser, server.url, { path: '/captures', allowed })
    await signIn(page)
    await page.evaluate(async () => {
      const authorization = `Bearer ${sessionStorage.getItem('dictation.session')}`
      await fetch('/session', { method: 'DELETE', headers: { authorization } })
      location.hash = '#/dictionary'
    })
    await page.waitForSelector(FIELD)
    await signIn(page)
    await page.waitForSelector('h1:has-text("Dictionary")')
    await close()
  }, 120_000)

  test('signs a new tab in while another one is signed in, and signs both out when the session ends', async () => {
    const { page, close } = await openPage(browser, server.url, { path: '/captures', allowed })
    await signIn(page)
    const other = await page.context().newPage()
    await other.goto(`${server.url}/#/captures`)
    await other.waitForSelector('text=And so my fellow Americans')
    await other.goto(`${server.url}/#/settings?section=health`)
    await other.click('text=Sign out')
    await other.waitForSelector(FIELD)
    await page.goto(`${server.url}/#/dictionary`)
    await page.waitForSelector(FIELD)
    await close()
  }, 120_000)

  test('signs in also if the browser stores nothing for pages', async () => {
    const script = `for (const name of ['getItem', 'setItem', 'removeItem'])
      Object.defineProperty(Storage.prototype, name, { value(...given) {
        if (this === window.localStorage) return name === 'getItem' ? null : undefined
        throw new DOMException('blocked', 'SecurityError')
      } })`
    const { page, faults, close } = await openPage(browser, server.url, {
      path: '/captures',
      allowed,
      script,
    })
    await signIn(page)
    await page.waitForSelector('text=And so my fellow Americans')
    expect(faults).toEqual([])
    await close()
  }, 120_000)

  test('lets the documentation send its requests in a signed-in tab', async () => {
    const { page, close } = await openPage(browser, server.url, { allowed })
    await signIn(page)
    await page.goto(`${server.url}/docs#/captures/listCaptures`)
    await page.click('#operations-captures-listCaptures .execute')
    await page.waitForSelector('.live-responses-table .response-col_status:has-text("200")')
    await close()
  }, 120_000)

  test('lets a page of an allowed origin open sockets, each with a ticket', async () => {
    const page = await browser.newPage()
    await page.goto(`http://localhost:${stranger.port}/`)
    const asked = { url: server.url, token: TOKEN }
    expect(await page.evaluate(openWithTicket, asked)).toEqual(['open', 'refused', 'refused'])
    await page.close()
  }, 180_000)
})

/** Runs in the page: the duration of a recording that an `<audio>` loads with a ticket and seeks to the end of. */
async function playedByTicket(path: string) {
  const answer = await fetch('/session', {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${sessionStorage.getItem('dictation.session')}`,
    },
    body: JSON.stringify({ ticket: true, path }),
  })
  const { ticket } = (await answer.json()) as { ticket: string }
  const audio = new Audio(`${path}?ticket=${ticket}`)
  const come = (event: string) =>
    new Promise((resolve, reject) => {
      audio.addEventListener(event, resolve, { once: true })
      audio.addEventListener('error', reject, { once: true })
    })
  await come('loadedmetadata')
  const sought = come('seeked')
  audio.currentTime = audio.duration - 1
  await sought
  return audio.duration
}

/** Runs in the page: opens a socket with a ticket, with the same one again, and without one. */
async function openWithTicket({ url, token }: { url: string; token: string }) {
  const answer = await fetch(`${url}/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: '{"ticket": true}',
  })
  const { ticket } = (await answer.json()) as { ticket: string }
  const attempts: string[] = []
  for (const query of [`ticket=${ticket}`, `ticket=${ticket}`, 'language=en']) {
    const socket = new WebSocket(`${url.replace('http', 'ws')}/transcribe/live?${query}`)
    attempts.push(
      await new Promise<string>((resolve) => {
        socket.onopen = () => resolve('open')
        socket.onerror = () => resolve('refused')
      }),
    )
    socket.close()
  }
  return attempts
}
