// The looks of a view that a test holds: nothing that axe finds and nothing wider than the screen, in both themes, from a
// small phone's width to a desktop's. What is done on it is each test's own.

import { expect } from 'bun:test'
import type { Browser, Page } from 'playwright-core'
import { accessibilityFaults, openPage } from './page.ts'

type Look = {
  path: string
  /** resolves when what is to be judged is there */
  ready: (page: Page) => Promise<unknown>
}

/** A new page of the view, in all looks. */
export async function expectGoodLooks(browser: Browser, url: string, { path, ready }: Look): Promise<void> {
  const { page, faults, close } = await openPage(browser, url, { path, viewport: viewport(WIDTHS[0]) })
  await ready(page)
  await expectGoodLooksOf(page)
  expect(faults).toEqual([])
  await close()
}

const WIDTHS = [320, 768, 1440] as const

const viewport = (width: number) => ({ width, height: 800 })

/** What an open page shows, in all looks; it is left as it was. Width and theme are a matter of its style sheets alone. */
export async function expectGoodLooksOf(page: Page): Promise<void> {
  const before = page.viewportSize()!
  const found: string[] = []
  for (const width of WIDTHS) {
    await page.setViewportSize(viewport(width))
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      await page.evaluate(endTransitions)
      // Of axe's rules those about colours alone can tell the second theme from the first.
      const axe = await accessibilityFaults(page, { rules: colorScheme === 'light' ? 'all' : 'colours' })
      const right = Number(await page.evaluate('document.documentElement.scrollWidth'))
      const wider = right > width ? [`is ${right} px wide`] : []
      found.push(...[...axe, ...wider].map((fault) => `in ${colorScheme} at ${width} px: ${fault}`))
    }
  }
  await page.emulateMedia({ colorScheme: null })
  await page.setViewportSize(before)
  expect(found).toEqual([])
}

/** Runs in the page: what changes its colour has the new one. In what is folded away a transition never ends by itself. */
async function endTransitions(): Promise<void> {
  await new Promise(requestAnimationFrame)
  for (const one of document.getAnimations()) if (one instanceof CSSTransition) one.finish()
}

/** Chosen in the browser as a person did earlier: the page comes up in German. */
export const inGerman = { locale: 'de-DE' }
