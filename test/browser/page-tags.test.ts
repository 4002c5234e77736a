// Tags on the page: added and removed on one capture and on a selection, undone, and used as a filter.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Browser, Page } from 'playwright-core'
import { hasBrowser, openBrowser } from '../support/browser.ts'
import { expectSoon } from '../support/expect-soon.ts'
import { accessibilityFaults, openPage } from '../support/page.ts'
import { expectGoodLooksOf } from '../support/page-looks.ts'
import { type RunningServer, startServer } from '../support/server.ts'
import { formOf } from '../support/speech.ts'

const FILES = ['short-01.flac', 'short-02.flac']

describe.skipIf(!hasBrowser)('tags', () => {
  let server: RunningServer
  let browser: Browser
  const ids: string[] = []
  beforeAll(async () => {
    server = await startServer()
    browser = await openBrowser()
    for (const file of FILES) {
      const body = await formOf(file, { source: 'file' })
      ids.push((await (await fetch(`${server.url}/captures?wait=true`, { method: 'POST', body })).json()).id)
    }
  }, 180_000)
  afterAll(async () => {
    await browser?.close()
    await server?.[Symbol.asyncDispose]()
  })

  const tagsOf = async (id: string): Promise<string[]> =>
    (await (await fetch(`${server.url}/captures/${id}`)).json()).tags
  const setTags = (id: string, tags: string[]) =>
    fetch(`${server.url}/captures/${id}`, {
      method: 'PATCH',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ tags }),
    })
  const open = async (path: string, ready: string) => {
    const opened = await openPage(browser, server.url, { path })
    await opened.page.waitForSelector(ready)
    return opened
  }
  const shown = (page: Page) => page.locator('.taglinks .tag').allTextContents()

  test('are added on a capture by keyboard, several at once, with those in use as suggestions', async () => {
    await setTags(ids[0]!, [])
    await setTags(ids[1]!, ['Board meeting'])
    const { page, faults, close } = await open(`/captures/${ids[0]}`, '.taglinks')
    await page.focus('.taglinks button')
    await page.keyboard.press('Enter')
    await page.waitForSelector('.tageditor input:focus')
    await page.waitForSelector('.tageditor datalist option[value="Board meeting"]', { state: 'attached' })
    await page.keyboard.type('work, board MEETING')
    await page.keyboard.press('Enter')
    await expectSoon(() => shown(page), ['work', 'board MEETING'])
    // Before the removal: the check may take longer than the offer to undo it lasts.
    expect(await accessibilityFaults(page)).toEqual([])
    await page.click('.tageditor >> text=Remove “work”')
    await expectSoon(() => shown(page), ['board MEETING'])
    await page.keyboard.press('Escape')
    await page.keyboard.press('Control+z')
    await expectSoon(() => shown(page), ['board MEETING', 'work'])
    expect(await tagsOf(ids[0]!)).toEqual(['board MEETING', 'work'])
    expect(faults).toEqual([])
    await close()
  }, 180_000)

  test('beyond the limits are refused in the words of the page, and the others stay', async () => {
    await setTags(ids[0]!, ['kept'])
    const { page, close } = await open(`/captures/${ids[0]}`, '.taglinks')
    await expectGoodLooksOf(page)
    await page.click('.taglinks button')
    await page.fill('.tageditor input', 'x'.repeat(51))
    await page.keyboard.press('Enter')
    await page.waitForSelector('.toast.fault >> text=up to 20 tags of up to 50 characters')
    expect(await tagsOf(ids[0]!)).toEqual(['kept'])
    await close()
  }, 180_000)

  test('are added to a selection and removed from it, and Undo leaves the tags from before', async () => {
    await setTags(ids[0]!, ['old', 'shared'])
    await setTags(ids[1]!, [])
    const { page, faults, close } = await open('/captures', '.capturerow')
    await page.check('text=Select all shown')
    await page.click('.selectionbar button:has-text("Tags")')
    await page.fill('.tageditor input', 'Shared')
    await page.click('.tageditor button:has-text("Add")')
    await expectSoon(() => tagsOf(ids[1]!), ['Shared'])
    await expectSoon(() => page.locator('.rowfacts .tag').allTextContents(), ['Shared', 'old', 'shared'])
    expect(await tagsOf(ids[0]!)).toEqual(['old', 'shared'])
    await page.click('.tageditor >> text=Remove “old”')
    await expectSoon(() => tagsOf(ids[0]!), ['shared'])
    await page.keyboard.press('Escape')
    await page.keyboard.press('Control+z')
    await expectSoon(() => tagsOf(ids[0]!), ['shared', 'old'])
    await page.keyboard.press('Control+z')
    await expectSoon(() => tagsOf(ids[1]!), [])
    expect(await tagsOf(ids[0]!)).toEqual(['shared', 'old'])
    expect(faults).toEqual([])
    await close()
  }, 180_000)

  test('narrow the list by the filter, by the address, and by a tag of the open capture', async () => {
    await setTags(ids[0]!, ['Work'])
    await setTags(ids[1]!, ['Home'])
    const { page, faults, close } = await open('/captures', '.capturerow')
    const rows = () => page.locator('.capturerow .name').allTextContents()
    await page.click('text=Filters')
    await page.waitForSelector('label:has-text("Tag") option:has-text("Work")', { state: 'attached' })
    await page.selectOption('label:has-text("Tag") select', 'Work')
    await expectSoon(rows, ['short-01.flac'])
    expect(page.url()).toContain('tag=Work')
    await page.click('.chips .chip:has-text("Tag: Work")')
    await expectSoon(rows, FILES.toReversed())
    await page.goto(`${server.url}/#/captures/${ids[1]}`)
    await page.click('.taglinks .tag')
    await expectSoon(rows, ['short-02.flac'])
    await expectGoodLooksOf(page)
    expect(faults).toEqual([])
    await close()
  }, 180_000)
})
