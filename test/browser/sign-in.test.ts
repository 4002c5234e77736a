// Signing in with the token in a real browser: the page that asks for it, the cookie, and the documentation behind it.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Browser } from 'playwright-core'
import { hasBrowser, openBrowser } from '../support/browser.ts'
import { type RunningServer, startServer } from '../support/server.ts'

const TOKEN = 'a-token-of-more-than-sixteen-letters'

describe.skipIf(!hasBrowser)('/docs of a server with a token, in Chromium', () => {
  let server: RunningServer
  let browser: Browser
  beforeAll(async () => {
    server = await startServer({ env: { DICTATION_TOKEN: TOKEN } })
    browser = await openBrowser()
  }, 120_000)
  afterAll(async () => {
    await browser?.close()
    await server?.[Symbol.asyncDispose]()
  })

  test('asks for the token, says when it is wrong, and shows the documentation when it is right', async () => {
    const context = await browser.newContext()
    const page = await context.newPage()
    const faults: string[] = []
    page.on('pageerror', (error) => faults.push(error.message))
    await page.goto(`${server.url}/`)
    expect(page.url()).toBe(`${server.url}/docs`)
    await page.fill('input[name=token]', 'not the token')
    await page.click('button')
    await page.waitForSelector('[role=alert]:not(:empty)')
    expect(await page.textContent('[role=alert]')).toBe('This is not the token.')
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
})
