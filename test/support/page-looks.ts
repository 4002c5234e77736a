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

export async function expectGoodLooks(browser: Browser, url: string, { path, ready }: Look): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const width of [320, 768, 1440]) {
      const { page, faults, close } = await openPage(browser, url, {
        path,
        colorScheme,
        viewport: { width, height: 800 },
      })
      await ready(page)
      const found = {
        in: `${colorScheme} at ${width} px`,
        axe: await accessibilityFaults(page),
        isWider: Number(await page.evaluate('document.documentElement.scrollWidth')) > width,
        faults,
      }
      expect(found).toEqual({ in: found.in, axe: [], isWider: false, faults: [] })
      await close()
    }
  }
}

/** Chosen in the browser as a person did earlier: the page comes up in German. */
export const inGerman = { locale: 'de-DE' }
