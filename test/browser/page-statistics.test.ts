// The statistics on the page, for real recordings, compared with the API's numbers.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Browser } from 'playwright-core'
import { hasBrowser, openBrowser } from '../support/browser.ts'
import { openPage } from '../support/page.ts'
import { expectGoodLooks } from '../support/page-looks.ts'
import { type RunningServer, startServer } from '../support/server.ts'
import { recordingFile } from '../support/speech.ts'

describe.skipIf(!hasBrowser)('the statistics on the page', () => {
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

  test('show an empty state without captures', async () => {
    const { page, faults, close } = await openPage(browser, server.url, { path: '/statistics' })
    await page.waitForSelector('text=No recordings in this period')
    expect(faults).toEqual([])
    await close()
  }, 180_000)

  test('show totals, days, hours, applications, models and languages as the API does', async () => {
    const form = new FormData()
    form.set('file', recordingFile('human-1.flac'), 'human-1.flac')
    form.set('app_name', 'Mail')
    expect((await fetch(`${server.url}/captures`, { method: 'POST', body: form })).status).toBe(201)
    const stats = (await (await fetch(`${server.url}/captures/stats`)).json()) as {
      total_words: number
      words_per_minute: number
    }
    const { page, faults, close } = await openPage(browser, server.url, { path: '/statistics' })
    const total = (name: string) => page.textContent(`.totals div:has(dt:text-is("${name}")) dd`)
    expect(await total('Recordings')).toBe('1')
    expect(await total('Words')).toBe(String(stats.total_words))
    expect(await total('Words per minute')).toBe(String(Math.round(stats.words_per_minute)))
    expect(await total('Current streak')).toBe('1 day')
    const [end, middle, start] = await page.locator('.axis span').allTextContents()
    expect(Number(end)).toBeGreaterThanOrEqual(stats.total_words)
    expect([Number(middle) * 2, start]).toEqual([Number(end), '0'])
    await page.click('section:has(#stats-daily) summary')
    const [day] = await page.locator('section:has(#stats-daily) tbody td').allTextContents()
    expect(day).toBe('1')
    expect(await page.textContent('.hours > title')).toMatch(/Busiest: \w+day at \d+:00, 1 recording$/)
    await page.click('section:has(#stats-hours) summary')
    const hours = await page.locator('section:has(#stats-hours) tbody td').allTextContents()
    expect(hours.filter((count) => count === '1')).toHaveLength(1)
    expect(hours).toHaveLength(7 * 24)
    const groups = await page.locator('.groups tbody th').allTextContents()
    expect(groups).toContain('Mail')
    expect(groups).toContain('Tiny, English')
    expect(groups).toContain('English')
    await page.check('label:has-text("Year") input')
    await page.waitForSelector('.totals')
    expect(faults).toEqual([])
    await close()
  }, 180_000)

  test('passes axe, and nothing is wider than the screen', async () => {
    await expectGoodLooks(browser, server.url, {
      path: '/statistics',
      async ready(page) {
        await page.click('section:has(#stats-daily) summary')
        await page.click('section:has(#stats-hours) summary')
      },
    })
  }, 180_000)
})
