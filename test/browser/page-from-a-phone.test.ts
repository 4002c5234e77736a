// A phone's page through an SSH tunnel, and through nginx with TLS: sign in, dictate with live words, and upload a file.

import { describe, expect, test } from 'bun:test'
import { resolve } from 'node:path'
import type { BrowserContextOptions } from 'playwright-core'
import { hasBrowser, openBrowser } from '../support/browser.ts'
import { microphoneClip } from '../support/microphone.ts'
import { openPage } from '../support/page.ts'
import { startServer } from '../support/server.ts'
import { until } from '../support/until.ts'
import { freePort, hasNginx, hasSsh, openProxy, openTunnel } from '../support/ways-in.ts'

const TOKEN = 'a-token-of-more-than-sixteen-letters'
const NAME = 'dictation.example'
const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true }
const PATIENCE = { timeout: 120_000 }

/** What a user does on the phone at this address. */
async function useFromPhone(url: string, more: BrowserContextOptions = {}): Promise<void> {
  await using clip = await microphoneClip(['short-03.flac', 8])
  const browser = await openBrowser({ loopbackNames: [NAME], microphone: { ...clip, loop: true } })
  try {
    const { page, faults, close } = await openPage(browser, url, {
      ...PHONE,
      ...more,
      ignoreHTTPSErrors: true,
      // Browsers log a 401 whatever the page does about it.
      allowed: [/401/],
    })
    await page.fill('input[name=token]', TOKEN)
    await page.tap('main button')
    await page.waitForSelector('button[data-record]', PATIENCE)
    expect(await page.evaluate('isSecureContext')).toBe(true)
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390)

    await page.tap('button[data-record]')
    // Words arrive during the recording over the live socket.
    await until(async () => (await page.textContent('.words'))?.includes('report'), {
      what: 'the live words',
      timeoutMs: 120_000,
    })
    await page.tap('button[data-record]')
    await page.waitForSelector('.outcome a', PATIENCE)

    await page.goto(`${url}/#/files`)
    await page.setInputFiles('input[type=file]', resolve(import.meta.dir, '../speech/short-02.flac'))
    await page.waitForSelector('text=1 done', PATIENCE)
    await page.goto(`${url}/#/captures`)
    await page.waitForSelector('.capturerow >> text=Thursday', PATIENCE)
    expect(await page.locator('.capturerow').count()).toBe(2)
    expect(faults).toEqual([])
    await close()
  } finally {
    await browser.close()
  }
}

describe.skipIf(!hasBrowser)('the page on a phone', () => {
  test.skipIf(!hasSsh)(
    'works through an SSH tunnel',
    async () => {
      await using server = await startServer({ env: { DICTATION_TOKEN: TOKEN } })
      await using tunnel = await openTunnel()
      // By default browsers reach loopback addresses without the proxy.
      await useFromPhone(server.url, {
        proxy: { server: `socks5://127.0.0.1:${tunnel.port}`, bypass: '<-loopback>' },
      })
    },
    400_000,
  )

  test.skipIf(!hasNginx)(
    'works through nginx with TLS',
    async () => {
      const port = await freePort()
      const url = `https://${NAME}:${port}`
      await using server = await startServer({
        env: {
          DICTATION_TOKEN: TOKEN,
          DICTATION_HOSTS: NAME,
          DICTATION_ORIGINS: url,
          // nginx's workers run as another user.
          DICTATION_USERS: 'any',
        },
      })
      await using _proxy = await openProxy(port, { name: NAME, serverPort: Number(new URL(server.url).port) })
      await useFromPhone(url)
    },
    400_000,
  )
})
