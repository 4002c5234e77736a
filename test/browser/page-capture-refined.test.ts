import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { readFile } from 'node:fs/promises'
import type { Browser, Page } from 'playwright-core'
import { hasBrowser, openBrowser } from '../support/browser.ts'
import { expectSoon } from '../support/expect-soon.ts'
import { openPage } from '../support/page.ts'
import { expectGoodLooks } from '../support/page-looks.ts'
import { type RunningServer, startServer } from '../support/server.ts'
import { formOf } from '../support/speech.ts'
import { until } from '../support/until.ts'

const REFINED = 'Dear Maria,\n\nthe release is on Thursday.'
const FIELD = 'textarea.refinedtext'

describe.skipIf(!hasBrowser)('the refined text of a capture', () => {
  let server: RunningServer
  let browser: Browser
  let id: string
  const refined = async () => {
    const { transcript_refined: text } = await (await fetch(`${server.url}/captures/${id}`)).json()
    return text as string | null
  }
  const refinedBecomes = (text: string | null) =>
    until(async () => (await refined()) === text, { what: `the refined text ${text}` })

  beforeAll(async () => {
    server = await startServer()
    browser = await openBrowser()
    const made = await fetch(`${server.url}/captures?wait=true`, {
      method: 'POST',
      body: await formOf('short-02.flac', { source: 'file' }),
    })
    id = (await made.json()).id
  }, 180_000)
  beforeEach(async () => {
    await fetch(`${server.url}/captures/${id}`, {
      method: 'PATCH',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ transcript_refined: REFINED }),
    })
  })
  afterAll(async () => {
    await browser?.close()
    await server?.[Symbol.asyncDispose]()
  })

  const open = async (query = '') => {
    const opened = await openPage(browser, server.url, { path: `/captures/${id}${query}` })
    await opened.page.waitForSelector('.textswitch')
    return opened
  }
  const openRefined = async () => {
    const opened = await open()
    await seesRefined(opened.page)
    return opened
  }
  const seesRefined = (page: Page) => page.waitForSelector('p.refinedtext')
  const focusedLabel = (page: Page) => page.evaluate("document.activeElement.getAttribute('aria-label')")

  test('comes first, with its line breaks, and a keyboard-accessible switch shows the raw transcript, which is remembered', async () => {
    const { page, faults, close } = await open()
    await expectSoon(() => page.textContent('p.refinedtext'), REFINED)
    await page.focus('.textswitch input:checked')
    await page.keyboard.press('ArrowRight')
    await page.waitForSelector('.transcript .said')
    await expectSoon(() => page.locator('p.refinedtext').count(), 0)
    await page.reload()
    await page.waitForSelector('.transcript .said')
    await page.focus('.textswitch input:checked')
    await page.keyboard.press('ArrowLeft')
    await seesRefined(page)
    expect(faults).toEqual([])
    await close()
  }, 180_000)

  test('yields to the raw transcript when the address has a time, because only that has word times', async () => {
    const { page, faults, close } = await openRefined()
    await page.goto(`${server.url}/#/captures/${id}?at=1`)
    await page.waitForSelector('.transcript .said')
    expect(faults).toEqual([])
    await close()
  }, 180_000)

  test('is saved on blur, and Undo restores the previous text', async () => {
    const { page, faults, close } = await openRefined()
    await page.click('[aria-label="Edit the cleaned-up text"]')
    await page.fill(FIELD, 'Dear Marta,\n\nit is out.')
    await page.click('h1')
    await refinedBecomes('Dear Marta,\n\nit is out.')
    await page.waitForSelector('.toast >> text=Saved')
    await expectSoon(() => page.textContent('p.refinedtext'), 'Dear Marta,\n\nit is out.')
    await page.keyboard.press('Control+z')
    await refinedBecomes(REFINED)
    await page.waitForSelector('p.refinedtext >> text=Maria')
    expect(faults).toEqual([])
    await close()
  }, 180_000)

  test('lists its previous text as a version, which can be restored, and Undo reverts that', async () => {
    const { page, faults, close } = await openRefined()
    await page.click('[aria-label="Edit the cleaned-up text"]')
    await page.fill(FIELD, 'Dear Marta,\n\nit is out.')
    await page.click('h1')
    await refinedBecomes('Dear Marta,\n\nit is out.')
    await page.click('.actions [title="More actions"]')
    await page.click('.menu >> text=Compare')
    await page.waitForSelector('.tools option:has-text("Version")', { state: 'attached' })
    // The newest version is the first option after the two that every text has.
    await page.selectOption('.tools select', { index: 2 })
    await page.waitForSelector('.tools del:has-text("Maria")')
    await page.click('text=Restore this version')
    await refinedBecomes(REFINED)
    await page.waitForSelector('p.refinedtext >> text=Maria')
    await page.click('.toast:has-text("restored") >> button:text-is("Undo")')
    await refinedBecomes('Dear Marta,\n\nit is out.')
    expect(faults).toEqual([])
    await close()
  }, 180_000)

  test('is edited by keyboard: Ctrl+Enter saves, Escape discards, and a draft survives closing the tab', async () => {
    const { page, faults, close } = await openRefined()
    await page.focus('[aria-label="Edit the cleaned-up text"]')
    await page.keyboard.press('Enter')
    await page.waitForSelector(FIELD)
    await page.keyboard.press('Control+a')
    await page.keyboard.type('Half a thought')
    await page.reload()
    await page.waitForSelector(FIELD)
    await expectSoon(() => page.inputValue(FIELD), 'Half a thought')
    await page.focus(FIELD)
    await page.keyboard.press('Escape')
    await page.waitForSelector('p.refinedtext >> text=Maria')
    await expectSoon(() => focusedLabel(page), 'Edit the cleaned-up text')
    expect(await refined()).toBe(REFINED)
    await page.keyboard.press('Enter')
    await page.waitForSelector(FIELD)
    await page.keyboard.press('Control+a')
    await page.keyboard.type('One line')
    await page.keyboard.press('Control+Enter')
    await refinedBecomes('One line')
    await page.waitForSelector('p.refinedtext >> text=One line')
    await expectSoon(() => focusedLabel(page), 'Edit the cleaned-up text')
    expect(faults).toEqual([])
    await close()
  }, 180_000)

  test('when cleared, falls back to the raw transcript, and Undo restores the text', async () => {
    const { page, faults, close } = await openRefined()
    await page.dblclick('p.refinedtext')
    await page.fill(FIELD, '  ')
    await page.keyboard.press('Control+Enter')
    await refinedBecomes(null)
    await page.waitForSelector('.transcript .said')
    await expectSoon(() => page.locator('.textswitch').count(), 0)
    await page.click('.toast >> button:text-is("Undo")')
    await refinedBecomes(REFINED)
    await page.waitForSelector('p.refinedtext')
    expect(faults).toEqual([])
    await close()
  }, 180_000)

  test('stays in the field when saving fails, and the next blur saves it', async () => {
    const { page, close } = await openRefined()
    const change = new RegExp(`/captures/${id}$`)
    await page.click('[aria-label="Edit the cleaned-up text"]')
    await page.fill(FIELD, 'Said while the server was away')
    await page.route(change, (route) =>
      route.request().method() === 'PATCH' ? route.abort() : route.continue(),
    )
    await page.click('h1')
    await page.waitForSelector('.toast.fault')
    expect(await page.inputValue(FIELD)).toBe('Said while the server was away')
    await page.unroute(change)
    await page.focus(FIELD)
    await page.keyboard.press('Control+Enter')
    await refinedBecomes('Said while the server was away')
    await close()
  }, 180_000)

  test('the displayed text is the one that is copied, saved and printed', async () => {
    const { page, close } = await openPage(browser, server.url, {
      path: `/captures/${id}`,
      permissions: ['clipboard-read', 'clipboard-write'],
    })
    const heard = await (await fetch(`${server.url}/captures/${id}/export?text=raw`)).text()
    const copied = () => page.evaluate<string>('navigator.clipboard.readText()')
    const saved = async (format: string, named: string) => {
      await page.click('.actions [title=Download]')
      await page.waitForSelector(`.menu p:has-text("${named}")`)
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.press(`.menu a[href*="format=${format}&"]`, 'Enter'),
      ])
      return readFile(await download.path(), 'utf8')
    }
    const printed = async () => {
      await page.emulateMedia({ media: 'print' })
      const text = await page.evaluate<string>('document.body.innerText')
      await page.emulateMedia({ media: 'screen' })
      return text
    }
    const [first = ''] = heard.trim().split(' ')
    await page.click('.textswitch >> text=Verbatim')
    await page.waitForSelector('.transcript .said')
    await page.click('.actions >> text=Copy')
    await expectSoon(copied, heard.trim())
    // Chromium starts at most ten downloads in a burst and ignores the eleventh.
    for (const format of ['txt', 'md', 'srt', 'vtt', 'json']) {
      const text = await saved(format, 'Verbatim')
      expect(text).toContain(first)
      if (format !== 'json') expect(text).not.toContain('Maria')
    }
    expect(await printed()).toContain(heard.trim().split(' ').slice(0, 3).join(' '))
    expect(await printed()).not.toContain('Copy text')

    await page.click('.textswitch >> text=Cleaned up')
    await seesRefined(page)
    await page.click('.actions >> text=Copy')
    await expectSoon(copied, REFINED)
    for (const format of ['txt', 'md', 'srt', 'vtt', 'json'])
      expect(await saved(format, 'Cleaned up')).toContain('Dear Maria')
    expect(await printed()).toContain('Dear Maria')
    expect(await printed()).not.toContain(heard.trim())

    // The typed text counts, although the save on blur is still in progress.
    await page.click('[aria-label="Edit the cleaned-up text"]')
    await page.fill(FIELD, 'Typed just now')
    await page.click('.actions >> text=Copy')
    await expectSoon(copied, 'Typed just now')
    await close()
  }, 180_000)

  test('passes axe in both themes at three widths, while reading and while editing', async () => {
    const path = `/captures/${id}`
    await expectGoodLooks(browser, server.url, { path, ready: seesRefined })
    const ready = async (page: Page) => {
      await seesRefined(page)
      await page.click('[aria-label="Edit the cleaned-up text"]')
      await page.waitForSelector(FIELD)
    }
    await expectGoodLooks(browser, server.url, { path, ready })
  }, 120_000)
})
