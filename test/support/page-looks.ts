// Visual checks of a view: axe finds nothing in both themes on a small phone and on a desktop, and nothing is wider than
// the screen there and at the widths between.

import { expect } from 'bun:test'
import type { Browser, Page } from 'playwright-core'
import { accessibilityFaults, openPage } from './page.ts'

type Look = {
  path: string
  /** resolves when the content to check is visible */
  ready: (page: Page) => Promise<unknown>
}

/** Opens the view in a new page and checks it in all themes and widths. */
export async function expectGoodLooks(browser: Browser, url: string, { path, ready }: Look): Promise<void> {
  const { page, faults, close } = await openPage(browser, url, { path, viewport: viewport(WIDTHS[0]) })
  await ready(page)
  await expectGoodLooksOf(page)
  expect(faults).toEqual([])
  await close()
}

const WIDTHS = [320, 768, 1440] as const
/** axe is most of the cost, and the layouts between show the same elements. */
const NARROW_AND_WIDE: number[] = [320, 1440]

const viewport = (width: number) => ({ width, height: 800 })

/** Checks an open page in all themes and widths, then restores it. Theme and width only affect its style sheets. */
export async function expectGoodLooksOf(page: Page): Promise<void> {
  const before = page.viewportSize()!
  const found: string[] = []
  for (const width of WIDTHS) {
    await page.setViewportSize(viewport(width))
    const right = Number(await page.evaluate('document.documentElement.scrollWidth'))
    if (right > width) found.push(`is ${right} px wide at ${width} px`)
    if (!NARROW_AND_WIDE.includes(width)) continue
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      await page.evaluate(endTransitions)
      // Only axe's colour rules can differ in the second theme.
      const axe = await accessibilityFaults(page, { rules: colorScheme === 'light' ? 'all' : 'colours' })
      found.push(...axe.map((fault) => `in ${colorScheme} at ${width} px: ${fault}`))
    }
  }
  await page.emulateMedia({ colorScheme: null })
  await page.setViewportSize(before)
  expect(found).toEqual([])
}

/** Runs in the page: ends colour transitions, which never end by themselves in collapsed content. */
async function endTransitions(): Promise<void> {
  await new Promise(requestAnimationFrame)
  for (const one of document.getAnimations()) if (one instanceof CSSTransition) one.finish()
}
