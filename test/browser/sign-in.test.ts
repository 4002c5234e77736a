// Signing in with the token in a real browser: the page that asks for it, the cookie and what it opens, the documentation
// behind it; and a page of another origin, which gets tickets for its sockets.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Browser } from 'playwright-core'
import { hasBrowser, openBrowser } from '../support/browser.ts'
import { expectSoon } from '../support/expect-soon.ts'
import { type RunningServer, startServer } from '../support/server.ts'
import { recordingFile } from '../support/speech.ts'

const TOKEN = 'a-token-of-more-than-sixteen-letters'

describe.skipIf(!hasBrowser)('/docs of a server with a token, in Chromium', () => {
  let server: RunningServer
  let browser: Browser
  const friend = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: () => new Response('<!doctype html>', { headers: { 'content-type': 'text/html' } }),
  })
  beforeAll(async () => {
    const env = { DICTATION_TOKEN: TOKEN, DICTATION_ORIGINS: `http://localhost:${friend.port}` }
    server = await startServer({ env })
    browser = await openBrowser()
  }, 120_000)
  afterAll(async () => {
    await browser?.close()
    await friend.stop(true)
    await server?.[Symbol.asyncDispose]()
  })

  test('asks for the token, says when it is wrong, and shows the documentation when it is right', async () => {
    const context = await browser.newContext()
    const page = await context.newPage()
    const faults: string[] = []
    page.on('pageerror', (error) => faults.push(error.message))
    await page.goto(`${server.url}/docs`)
    await page.fill('input[name=token]', 'not the token')
    await page.click('button')
    await page.waitForSelector('[role=alert]:not(:empty)')
    await expectSoon(() => page.textContent('[role=alert]'), 'This is not the token.')
    await page.fill('input[name=token]', TOKEN)
    await page.click('button')
    await page.waitForSelector('.opblock-tag')
    const [cookie] = await context.cookies()
    expect(cookie).toMatchObject({ name: 'dictation_session', httpOnly: true, sameSite: 'Strict', path: '/' })
    expect(cookie!.value).not.toContain(TOKEN)
    // Also what cannot send a header: an address that is opened as it stands.
    const listed = await page.goto(`${server.url}/captures`)
    expect(listed!.status()).toBe(200)
    expect(faults).toEqual([])
    await context.close()
  }, 60_000)

  test('opens what can send no header once one is signed in: sockets, event streams, audio', async () => {
    const form = new FormData()
    form.set('file', new File([await recordingFile('nothing-silence.flac').bytes()], 'silence.flac'))
    const kept = await fetch(`${server.url}/captures?wait=false`, {
      method: 'POST',
      headers: { authorization: `Bearer ${TOKEN}` },
      body: form,
    })
    const { id } = (await kept.json()) as { id: string }
    const page = await (await browser.newContext()).newPage()
    await page.goto(`${server.url}/docs`)
    expect(await page.evaluate(openAll, id)).toEqual({ socket: false, events: false, audio: false })
    await page.fill('input[name=token]', TOKEN)
    await page.click('button')
    await page.waitForSelector('.opblock-tag')
    expect(await page.evaluate(openAll, id)).toEqual({ socket: true, events: true, audio: true })
    await page.context().close()
  }, 60_000)

  test('lets a page of another origin open sockets, each with a ticket, where it is let in', async () => {
    const page = await browser.newPage()
    await page.goto(`http://localhost:${friend.port}/`)
    const asked = { url: server.url, token: TOKEN }
    expect(await page.evaluate(openWithTicket, asked)).toEqual(['open', 'refused', 'refused'])
    await page.close()
  }, 60_000)
})

/** Runs in the page: which of the three the server answers. */
async function openAll(id: string) {
  const opens = (target: EventTarget, event: string) =>
    new Promise<boolean>((resolve) => {
      target.addEventListener(event, () => resolve(true))
      target.addEventListener('error', () => resolve(false))
    })
  const socket = new WebSocket(`${location.origin.replace('http', 'ws')}/transcribe/live?language=en`)
  const events = new EventSource('/events')
  const audio = new Audio(`/captures/${id}/audio`)
  const [isSocket, isEvents, isAudio] = await Promise.all([
    opens(socket, 'open'),
    opens(events, 'open'),
    opens(audio, 'loadedmetadata'),
  ])
  socket.close()
  events.close()
  return { socket: isSocket, events: isEvents, audio: isAudio }
}

/** Runs in the page: with a ticket, with the same once more, and without one. */
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
