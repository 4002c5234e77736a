// How long a browser that has nothing of the page yet takes from the address until something is drawn, and what it loads.
// Each load is in a context of its own, so with an empty cache; the browser itself runs already.

import type { Browser } from 'playwright-core'
import { until } from '../../test/support/until.ts'

export type PageLoad = {
  /** behind the server's address */
  path: string
  /** of an element that is there as soon as a person can begin */
  selector: string
}

const PATIENCE = { timeoutMs: 30_000 }

/** Notes when the element is there and the frame that has it is painted, in milliseconds since the page was asked for. */
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

/** From the last key of each word until the first hits are painted; the pause that the page waits for another key included. */
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

/** What comes over the wire until the network is still, packed as it comes. */
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
