// The captures with forced colours, reduced motion, and at 200 %.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { hasBrowser, openBrowser } from '../support/browser.ts'
import { accessibilityFaults, openPage } from '../support/page.ts'
import { type RunningServer, startServer } from '../support/server.ts'
import { formOf } from '../support/speech.ts'
import { until } from '../support/until.ts'

describe.skipIf(!hasBrowser)('the captures with accessibility preferences', () => {
  let server: RunningServer
  let browser: Browser
  let id: string
  beforeAll(async () => {
    server = await startServer()
    browser = await openBrowser()
    const body = await formOf('paragraph-2.flac', { source: 'file' })
    const made = await fetch(`${server.url}/captures?wait=true`, { method: 'POST', body })
    id = (await made.json()).id
  }, 180_000)
  afterAll(async () => {
    await browser?.close()
    await server?.[Symbol.asyncDispose]()
  })

  const open = async (path: string, options: BrowserContextOptions & { script?: string } = {}) => {
    const opened = await openPage(browser, server.url, { path, ...options })
    await opened.page.waitForSelector('.capturerow, .transcript')
    return opened
  }
  const paths = () => ['/captures', `/captures/${id}`]

  test('in forced colours the spoken word, the played part and the focus are still visible', async () => {
    const { page, faults, close } = await open(`/captures/${id}`, { forcedColors: 'active' })
    const colours = (selector: string, property: string) =>
      page.evaluate(`getComputedStyle(document.querySelector('${selector}')).${property}`)
    const named = (name: string) =>
      page.evaluate(`(() => {
        const probe = document.body.appendChild(document.createElement('i'))
        probe.style.color = '${name}'
        const { color } = getComputedStyle(probe)
        probe.remove()
        return color
      })()`)
    await page.click('.player [aria-label=Play]')
    await page.waitForSelector('[data-now]')
    const highlight = await named('Highlight')
    expect(await colours('.segment[data-now]', 'textDecorationColor')).toBe(highlight)
    expect(await colours('.waveform .played', 'backgroundColor')).toBe(highlight)
    expect(await colours('.waveform svg', 'fill')).toBe(await named('CanvasText'))
    expect(await colours('nav a[aria-current]', 'borderTopStyle')).toBe('solid')
    expect(await colours('.transcript .unsure', 'textDecorationLine')).toBe('underline')
    expect(faults).toEqual([])
    await close()
  }, 180_000)

  const SCROLLS = `window.scrolls = []
    const own = Element.prototype.scrollIntoView
    Element.prototype.scrollIntoView = function (how) { window.scrolls.push(how.behavior); own.call(this, how) }`
  for (const [reducedMotion, behavior] of [
    ['reduce', 'auto'],
    ['no-preference', 'smooth'],
  ] as const) {
    test(`the transcript follows by ${behavior} scrolling if the preference is ${reducedMotion}`, async () => {
      const { page, close } = await open(`/captures/${id}`, { reducedMotion, script: SCROLLS })
      await page.click('.player [aria-label=Play]')
      const scrolls = () => page.evaluate('window.scrolls.join()')
      await until(async () => (await scrolls()) !== '')
      expect(await scrolls()).toBe(behavior)
      await close()
    }, 180_000)
  }

  test('with reduced motion nothing fades or moves by itself', async () => {
    for (const path of paths()) {
      const { page, close } = await open(path, { reducedMotion: 'reduce' })
      const moving = `[...document.querySelectorAll('*')].filter((one) => {
        const { transitionDuration, animationName } = getComputedStyle(one)
        return animationName !== 'none' || transitionDuration.split(', ').some((time) => parseFloat(time) > 0)
      }).map(({ outerHTML }) => outerHTML.slice(0, 80))`
      expect(await page.evaluate(moving)).toEqual([])
      await close()
    }
  }, 180_000)

  /** The elements that the Tab key reaches at that screen size, and those that are then covered by another element. */
  async function walk(page: Page): Promise<{ reached: number; hidden: unknown[] }> {
    const hidden: unknown[] = []
    const all = Number(
      await page.evaluate(
        "[...document.querySelectorAll('a[href], button:not(:disabled), input, select, summary')].filter((one) => one.tabIndex >= 0 && one.checkVisibility()).length",
      ),
    )
    let reached = 0
    await page.evaluate('document.activeElement.blur()')
    for (; reached <= all; reached++) {
      await page.keyboard.press('Tab')
      const seen = await page.evaluate(`(() => {
        const one = document.activeElement
        if (one === document.body) return 'end'
        const { left, top, right, bottom } = one.getBoundingClientRect()
        const at = document.elementFromPoint((left + right) / 2, (top + bottom) / 2)
        const isSeen = at && (one.contains(at) || at.contains(one) || one.labels?.length && one.labels[0].contains(at))
        return isSeen ? null : one.outerHTML.slice(0, 120)
      })()`)
      if (seen === 'end') break
      if (seen !== null) hidden.push(seen)
    }
    return { reached, hidden }
  }

  test('at 200 % nothing is wider than the screen, and the focused element is always visible', async () => {
    for (const path of paths()) {
      // A screen of 1280 by 800 at 200 % zoom.
      const viewport = { width: 640, height: 400 }
      const { page, faults, close } = await open(path, { viewport, deviceScaleFactor: 2 })
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(640)
      const { reached, hidden } = await walk(page)
      expect({ path, hidden }).toEqual({ path, hidden: [] })
      expect(reached).toBeGreaterThan(12)
      expect(await accessibilityFaults(page)).toEqual([])
      expect(faults).toEqual([])
      await close()
    }
  }, 120_000)

  test('with text at 200 % nothing is wider than the screen', async () => {
    for (const path of paths()) {
      for (const width of [640, 1280]) {
        const { page, close } = await open(path, { viewport: { width, height: 800 } })
        await page.evaluate("document.documentElement.style.fontSize = '200%'")
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width)
        await close()
      }
    }
  }, 180_000)
})
