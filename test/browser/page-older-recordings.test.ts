// "Always write": a corrected word is offered for older recordings, with a preview and Undo.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Browser } from 'playwright-core'
import { hasBrowser, openBrowser } from '../support/browser.ts'
import { expectSoon } from '../support/expect-soon.ts'
import { accessibilityFaults, openPage } from '../support/page.ts'
import { type RunningServer, startServer } from '../support/server.ts'
import { formOf } from '../support/speech.ts'

describe.skipIf(!hasBrowser)('a word that is always written otherwise', () => {
  let server: RunningServer
  let browser: Browser
  const ids: string[] = []
  beforeAll(async () => {
    server = await startServer()
    browser = await openBrowser()
    for (const title of ['First', 'Second', 'Third', 'Newest']) {
      const body = await formOf('short-01.flac', { source: 'file', title })
      ids.push((await (await fetch(`${server.url}/captures?wait=true`, { method: 'POST', body })).json()).id)
    }
    for (const [at, text] of [
      'Jon is here.',
      'Ask Jon, Jon knows.',
      'Jonathan is here.',
      'Call Jon.',
    ].entries())
      await patch(ids[at]!, text)
  }, 180_000)
  afterAll(async () => {
    await browser?.close()
    await server?.[Symbol.asyncDispose]()
  })

  const patch = (id: string, text: string) =>
    fetch(`${server.url}/captures/${id}/segments/0`, {
      method: 'PATCH',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ text }),
    })
  const textOf = async (id: string): Promise<string> =>
    (await (await fetch(`${server.url}/captures/${id}`)).json()).segments[0].text

  test('is changed in the older recordings that the user selects, and Undo restores them', async () => {
    const { page, faults, close } = await openPage(browser, server.url, { path: `/captures/${ids[3]}` })
    await page.click('[aria-label="Edit the passage at 0:00"]')
    await page.fill('.editor textarea', 'Call John.')
    await page.keyboard.press('Control+Enter')
    await page.click('.toast >> text=Always write “John”')
    await page.click('.toast >> text=Older recordings…')
    const dialog = page.getByRole('dialog')
    await expectSoon(() => dialog.locator('.choice strong').allTextContents(), ['Second', 'First'])
    expect(await dialog.locator('.changed').allTextContents()).toEqual([
      'Ask JonJohn, JonJohn knows.',
      'JonJohn is here.',
    ])
    expect(await accessibilityFaults(page)).toEqual([])
    await dialog.getByLabel('Second').uncheck()
    await dialog.getByRole('button', { name: 'Change 1 recording' }).click()
    await page.waitForSelector('.toast >> text=1 recording changed')
    expect(await Promise.all(ids.map(textOf))).toEqual([
      'John is here.',
      'Ask Jon, Jon knows.',
      'Jonathan is here.',
      'Call John.',
    ])
    await page.keyboard.press('Control+z')
    await expectSoon(() => textOf(ids[0]!), 'Jon is here.')
    expect(faults).toEqual([])
    await close()
  }, 180_000)
})
