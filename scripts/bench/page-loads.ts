// The time from navigation to the first useful paint, and the bytes loaded. Each load has its own browser context, so
// its cache is empty; the browser itself is already running.

import type { Browser } from 'playwright-core'
import { until } from '../../test/support/until.ts'

export type PageLoad = {
  /** path and query after the server's address */
  path: string
  /** of an element whose appearance means that the page is usable */
  selector: string
}

const PATIENCE = { timeoutMs: 30_000 }

/** Records when the element's frame is painted, in milliseconds since navigation. */
const watchFor = (selector: string) => `
  globalThis.drawnAt = null
  const watching = new MutationObserver(() => {
    if (document.querySelector(${JSON.stringify(selector)}) === null) return
    watching.disconnect()
    requestAnimationFrame(() => setTimeout(() => { globalThis.drawnAt = performance.now() }))
  })
  watching.observe(document, { childList: true, subtree: true, attributes: true })`

/** Until the frame with the element was painted. */
export async function loadMs(browser: Browser, url: string, { path, selector }: PageLoad): Promise<number> {
  const context = await browser.newContext({ locale: 'en-US' })
  try {
    const page = await context.newPage()
    await page.addInitScript(watchFor(selector))
    await page.goto(url + path, { waitUntil: 'commit' })
    return await until(async () => (await page.evaluate('globalThis.drawnAt')) as number | null, PATIENCE)
  } finally {
    await context.close()
  }
}

/** From the last key of each word until the first matches are painted, including the page's debounce. */
export async function searchMs(browser: Browser, url: string, words: readonly string[]): Promise<number[]> {
  const context = await browser.newContext({ locale: 'en-US' })
  try {
    const page = await context.newPage()
    await page.goto(`${url}/#/captures`)
    await page.waitForSelector('.capturerow')
    const took: number[] = []
    for (const word of words) {
      await page.fill('input[type=search]', '')
      await page.waitForSelector('.capturerow mark', { state: 'detached' })
      await page.evaluate(watchFor('.capturerow mark'))
      const typedAt = (await page.evaluate(`new Promise((resolve) => {
        const field = document.querySelector('input[type=search]')
        field.value = ${JSON.stringify(word)}
        field.dispatchEvent(new InputEvent('input', { bubbles: true }))
        resolve(performance.now())
      })`)) as number
      const drawnAt = await until(
        async () => (await page.evaluate('globalThis.drawnAt')) as number | null,
        PATIENCE,
      )
      took.push(drawnAt - typedAt)
    }
    return took
  } finally {
    await context.close()
  }
}

/** Bytes on the wire, compressed, until the network is idle. */
export async function loadedBytes(
  browser: Browser,
  url: string,
  { path, selector }: PageLoad,
): Promise<number> {
  const context = await browser.newContext({ locale: 'en-US' })
  try {
    const page = await context.newPage()
    await page.goto(url + path, { waitUntil: 'load' })
    await page.waitForSelector(selector)
    return (await page.evaluate(`
      [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
        .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)`)) as number
  } finally {
    await context.close()
  }
}
