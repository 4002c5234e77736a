import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Browser } from 'playwright-core'
import { hasBrowser, openBrowser } from '../support/browser.ts'
import { expectSoon } from '../support/expect-soon.ts'
import { openPage } from '../support/page.ts'
import { expectGoodLooks } from '../support/page-looks.ts'
import { type RunningServer, startServer } from '../support/server.ts'
import { recordingFile } from '../support/speech.ts'
import { until } from '../support/until.ts'

describe.skipIf(!hasBrowser)('the jobs on the page', () => {
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

  const add = async () => {
    const form = new FormData()
    form.set('file', recordingFile('human-1.flac'), 'human-1.flac')
    expect((await fetch(`${server.url}/captures?wait=false`, { method: 'POST', body: form })).status).toBe(
      202,
    )
  }
  const totalOf = async (path: string) =>
    ((await (await fetch(`${server.url}${path}`)).json()) as { total: number }).total
  const isIdle = async () =>
    (await totalOf('/jobs?state=active')) + (await totalOf('/jobs?state=waiting')) === 0

  test('show an empty state, then a job as soon as it is queued, and cancel it', async () => {
    const { page, faults, close } = await openPage(browser, server.url, { path: '/jobs' })
    await page.waitForSelector('text=No jobs are running')
    for (let count = 0; count < 6; count += 1) await add()
    await page.waitForSelector('h2:has-text("Waiting")')
    await expectSoon(
      () => page.locator('section[aria-label=Waiting] a').first().textContent(),
      'human-1.flac',
    )
    await page.locator('section[aria-label=Waiting] button').last().click()
    await until(async () => (await totalOf('/jobs?state=canceled')) === 1)
    await until(isIdle, { timeoutMs: 90_000 })
    await page.waitForSelector('text=No jobs are running')
    expect(faults).toEqual([])
    await close()
  }, 150_000)

  test('a batch shows its progress, and its remaining jobs are cancelled', async () => {
    const { page, faults, close } = await openPage(browser, server.url, { path: '/jobs' })
    const headers = { 'content-type': 'application/json' }
    const body = JSON.stringify({ filter: {}, model: 'base-q5_1' })
    const begun = await fetch(`${server.url}/captures/retranscribe`, { method: 'POST', headers, body })
    expect(begun.status).toBe(202)
    await page.click('button:has-text("Cancel the rest")')
    await page.waitForSelector('.badge:has-text("Cancelled")')
    const { items } = (await (await fetch(`${server.url}/jobs/batches`)).json()) as {
      items: { state: string }[]
    }
    expect(items.map(({ state }) => state)).toEqual(['canceled'])
    expect(faults).toEqual([])
    await close()
  }, 180_000)

  test('a failed job shows its reason and links to its recording', async () => {
    const { page, faults, close } = await openPage(browser, server.url, { path: '/jobs' })
    const broken = Buffer.concat([Buffer.from('fLaC\0\0\0"'), Buffer.alloc(20_000, 7)])
    const form = new FormData()
    form.set('file', new File([broken], 'broken.flac'))
    const made = await fetch(`${server.url}/captures?wait=false`, { method: 'POST', body: form })
    const { id } = (await made.json()) as { id: string }
    const row = 'section[aria-label="Failed recently"] li'
    await page.waitForSelector(`${row} .fault`, { timeout: 60_000 })
    await expectSoon(() => page.getAttribute(`${row} a`, 'href'), `#/captures/${id}`)
    expect(faults).toEqual([])
    await close()
  }, 180_000)

  test('passes axe, and nothing is wider than the screen', async () => {
    await expectGoodLooks(browser, server.url, {
      path: '/jobs',
      ready: (page) => page.waitForSelector('#jobs-batches'),
    })
  }, 180_000)
})
