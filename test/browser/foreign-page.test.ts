// Attacks by a web page of another origin in a real browser. The worst case: the page knows the ids, and its DNS
// resolves its name to 127.0.0.1 (DNS rebinding).

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Browser, Page } from 'playwright-core'
import { hasBrowser, openBrowser } from '../support/browser.ts'
import { type RunningServer, startServer } from '../support/server.ts'
import { recordingFile } from '../support/speech.ts'

type Attack = { url: string; id: string }

describe.skipIf(!hasBrowser)('a web page of another origin', () => {
  let server: RunningServer
  let browser: Browser
  let evil: Bun.Server<undefined>
  let target: Attack
  let before: string

  beforeAll(async () => {
    server = await startServer()
    browser = await openBrowser({ loopbackNames: ['evil.test', 'rebind.test'] })
    evil = Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      fetch: () =>
        new Response('<!doctype html><title>evil</title>', { headers: { 'content-type': 'text/html' } }),
    })
    const form = new FormData()
    form.set('file', new File([await recordingFile('nothing-silence.flac').bytes()], 'secret.flac'))
    const created = await fetch(`${server.url}/captures?wait=300`, { method: 'POST', body: form })
    target = { url: server.url, id: ((await created.json()) as { id: string }).id }
    before = await kept()
  }, 180_000)
  afterAll(async () => {
    await browser?.close()
    await evil?.stop(true)
    await server?.[Symbol.asyncDispose]()
  })

  /** Everything that a successful attack would change. */
  const kept = async () => (await fetch(`${server.url}/captures`)).text()

  const origins: [name: string, url: () => string][] = [
    ['another name', () => `http://evil.test:${evil.port}/`],
    ['another port of localhost', () => `http://localhost:${evil.port}/`],
    ['another port of the same address', () => `http://127.0.0.1:${evil.port}/`],
    ['a data: address', () => 'data:text/html,<title>evil</title>'],
  ]
  for (const [name, url] of origins) {
    test(`of ${name} cannot read anything`, async () => {
      const page = await browser.newPage()
      await page.goto(url())
      const read = await page.evaluate(readEverything, target)
      expect(read).toEqual([])
      await page.close()
    }, 180_000)

    test(`of ${name} cannot change anything`, async () => {
      const page = await browser.newPage()
      await page.goto(url())
      await page.evaluate(changeEverything, target)
      await submitForm(page, target)
      expect(await kept()).toBe(before)
      await page.close()
    }, 180_000)
  }

  test('can read an unprotected server, which proves that the attempts work', async () => {
    const page = await browser.newPage()
    const url = `http://evil.test:${evil.port}`
    await page.goto(url)
    const read = await page.evaluate(readEverything, { url, id: target.id })
    expect(read).toEqual(expect.arrayContaining(['fetch /captures', 'opaque /captures']))
    await page.close()
  }, 180_000)

  test('with a name that resolves to 127.0.0.1 (DNS rebinding) cannot read or change anything', async () => {
    const page = await browser.newPage()
    const url = server.url.replace('127.0.0.1', 'rebind.test')
    // The page itself came from the attacker, before its name resolved to 127.0.0.1.
    await page.route(`${url}/`, (route) => route.fulfill({ contentType: 'text/html', body: 'evil' }))
    await page.goto(`${url}/`)
    const answers = await page.evaluate(async (id) => {
      const requests: [string, RequestInit][] = [
        ['/captures', {}],
        [`/captures/${id}/audio`, {}],
        ['/health', {}],
        ['/docs/json', {}],
        [`/captures/${id}`, { method: 'DELETE' }],
        [`/captures/${id}/cancel`, { method: 'POST' }],
      ]
      const statuses = requests.map(async ([path, init]) => (await fetch(path, init)).status)
      return Promise.all(statuses)
    }, target.id)
    expect(answers).toEqual([403, 403, 403, 403, 403, 403])
    expect(await page.evaluate(firstOnSocket, url)).toBe(null)
    expect(await kept()).toBe(before)
    await page.close()
  }, 180_000)

  test("is refused a socket that the server's own page may open", async () => {
    const page = await browser.newPage()
    await page.goto(`${server.url}/docs`)
    expect(JSON.parse((await page.evaluate(firstOnSocket, server.url)) ?? '{}').type).toBe('ready')
    await page.goto(`http://evil.test:${evil.port}/`)
    expect(await page.evaluate(firstOnSocket, server.url)).toBe(null)
    await page.close()
  }, 180_000)

  test('may link to the documentation, which then opens', async () => {
    const page = await browser.newPage()
    await page.goto(`http://evil.test:${evil.port}/`)
    await page.evaluate((url) => {
      const link = document.createElement('a')
      link.href = url
      link.id = 'link'
      link.textContent = 'here'
      document.body.append(link)
    }, `${server.url}/docs`)
    await Promise.all([page.waitForURL('**/docs'), page.click('#link')])
    await page.waitForSelector('.opblock')
    await page.close()
  }, 180_000)

  test('cannot frame the documentation', async () => {
    const page = await browser.newPage()
    await page.goto(`http://evil.test:${evil.port}/`)
    const framed = await page.evaluate(async (url) => {
      const frame = document.createElement('iframe')
      frame.src = url
      const loaded = new Promise((resolve) => frame.addEventListener('load', resolve))
      document.body.append(frame)
      await loaded
      return frame.contentDocument?.title ?? null
    }, `${server.url}/docs`)
    expect(framed).toBe(null)
    const titles = await Promise.all(page.frames().map((frame) => frame.title()))
    expect(titles.filter((title) => title.includes('Local Dictation'))).toEqual([])
    await page.close()
  }, 180_000)
})

/** Runs in the page: the first message of a live socket; null if the socket does not open. */
function firstOnSocket(url: string): Promise<string | null> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/transcribe/live?language=en`)
  return new Promise((resolve) => {
    socket.onmessage = ({ data }) => {
      resolve(data)
      socket.close()
    }
    socket.onerror = () => resolve(null)
  })
}

/** Runs in the page: the names of the methods that read anything. */
async function readEverything({ url, id }: Attack): Promise<string[]> {
  const addresses = ['/captures', `/captures/${id}`, `/captures/${id}/audio`, '/health', '/docs/json']
  const got: string[] = []
  const attempts: Promise<unknown>[] = []
  const attempt = (way: string, happened: Promise<unknown>) =>
    attempts.push(
      happened.then(
        (worked) => worked && got.push(way),
        () => undefined,
      ),
    )
  const element = (tag: 'img' | 'audio' | 'script' | 'link', address: string) => {
    const made = document.createElement(tag)
    const loaded = new Promise((resolve) => {
      for (const event of ['load', 'loadeddata', 'loadedmetadata', 'canplay']) {
        made.addEventListener(event, () => resolve(true))
      }
      made.addEventListener('error', () => resolve(false))
    })
    if (made instanceof HTMLLinkElement) {
      made.rel = 'stylesheet'
      made.href = address
    } else made.src = address
    document.body.append(made)
    return loaded
  }
  for (const path of addresses) {
    const address = `${url}${path}`
    for (const credentials of ['omit', 'include'] as const) {
      attempt(
        `fetch ${path}`,
        fetch(address, { credentials }).then(() => true),
      )
    }
    const opaque = fetch(address, { mode: 'no-cors' })
    attempt(
      `opaque ${path}`,
      opaque.then(async (response) => (await response.text()) !== ''),
    )
    for (const tag of ['img', 'audio', 'script', 'link'] as const)
      attempt(`${tag} ${path}`, element(tag, address))
  }
  const events = new EventSource(`${url}/jobs`)
  attempt(
    'events',
    new Promise((resolve) => {
      events.onopen = () => resolve(true)
      events.onerror = () => resolve(false)
    }),
  )
  const socket = new WebSocket(`${url.replace('http', 'ws')}/transcribe/live?keep=true`)
  attempt(
    'socket',
    new Promise((resolve) => {
      socket.onopen = () => resolve(true)
      socket.onerror = () => resolve(false)
    }),
  )
  await Promise.all(attempts)
  events.close()
  return got
}

/** Runs in the page: every request that a page can send without a preflight. */
async function changeEverything({ url, id }: Attack): Promise<void> {
  const form = new FormData()
  form.set('file', new File(['RIFF'], 'a.wav'))
  const json = new Blob(['{"starred":true}'], { type: 'text/plain' })
  const requests: [string, RequestInit][] = [
    ['/captures', { method: 'POST', mode: 'no-cors', body: form }],
    ['/captures?wait=false', { method: 'POST', body: form }],
    [`/captures/${id}/retranscribe`, { method: 'POST', mode: 'no-cors' }],
    [`/captures/${id}/cancel`, { method: 'POST', mode: 'no-cors', body: json }],
    [`/captures/${id}`, { method: 'DELETE' }],
    [`/captures/${id}`, { method: 'PATCH', headers: { 'content-type': 'application/json' }, body: json }],
    ['/transcribe', { method: 'POST', mode: 'no-cors', body: form }],
  ]
  await Promise.allSettled(requests.map(([path, init]) => fetch(`${url}${path}`, init)))
  navigator.sendBeacon(`${url}/captures/${id}/cancel`, json)
}

/** A hidden form, submitted into a frame of the page. */
async function submitForm(page: Page, { url, id }: Attack): Promise<void> {
  const answered = page.waitForResponse((response) => response.url().endsWith('/retranscribe'))
  await page.evaluate((action) => {
    const frame = document.createElement('iframe')
    frame.name = 'hidden'
    const form = document.createElement('form')
    Object.assign(form, { action, method: 'post', enctype: 'multipart/form-data', target: 'hidden' })
    document.body.append(frame, form)
    form.submit()
  }, `${url}/captures/${id}/retranscribe`)
  expect((await answered).status()).toBe(403)
}
