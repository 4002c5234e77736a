// The dictionary on the page, checked through the API.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Browser } from 'playwright-core'
import { hasBrowser, openBrowser } from '../support/browser.ts'
import { openPage } from '../support/page.ts'
import { expectGoodLooks } from '../support/page-looks.ts'
import { type RunningServer, startServer } from '../support/server.ts'
import { until } from '../support/until.ts'

describe.skipIf(!hasBrowser)('the dictionary on the page', () => {
  let server: RunningServer
  let browser: Browser
  beforeAll(async () => {
    server = await startServer()
    browser = await openBrowser()
  }, 120_000)
  afterAll(async () => {
    await browser?.close()
    await server?.[Symbol.asyncDispose]()
  })

  type Entry = Record<string, unknown> & { id: string }
  const entries = async () =>
    ((await (await fetch(`${server.url}/dictionary`)).json()) as { items: Entry[] }).items
  const words = async () => (await entries()).map(({ word }) => word).toSorted()
  const open = () => openPage(browser, server.url, { path: '/dictionary', allowed: [/409/, /422/] })

  test('an entry is added after a preview, and a second one for the same word is rejected', async () => {
    const { page, faults, close } = await open()
    await page.waitForSelector('text=The dictionary is empty')
    await page.click('text=Add an entry')
    expect(await page.inputValue('#entry-type')).toBe('term')
    await page.fill('#entry-word', 'git hub')
    await page.selectOption('#entry-type', 'replacement')
    // An empty replacement is invalid: it would delete a word.
    await page.click('dialog button:has-text("Save")')
    expect(await page.$eval('#entry-replacement', (field) => field.matches(':invalid'))).toBe(true)
    await page.fill('#entry-replacement', 'GitHub')
    await page.fill('#entry-aliases', 'get hub\nkit hub')
    await page.fill('#entry-try-text', 'it is on get hub')
    await page.waitForSelector('dialog ins:has-text("GitHub")')
    expect(await entries()).toEqual([])
    await page.click('dialog button:has-text("Save")')
    await page.waitForSelector('.lines .word:has-text("git hub")')
    expect((await entries())[0]).toMatchObject({
      type: 'replacement',
      word: 'git hub',
      replacement: 'GitHub',
      aliases: ['get hub', 'kit hub'],
    })
    await page.click('text=Add an entry')
    await page.fill('#entry-word', 'Git Hub')
    await page.click('dialog button:has-text("Save")')
    await page.waitForSelector('dialog .fault:has-text("is already in the dictionary")')
    await page.keyboard.press('Escape')
    await page.waitForSelector('dialog', { state: 'detached' })
    expect(faults).toEqual([])
    await close()
  }, 180_000)

  test('an entry is edited, switched off and on, deleted, and restored with its usage count by Undo', async () => {
    const { page, close } = await open()
    await page.click('button[aria-label="Edit git hub"]')
    await page.fill('#entry-replacement', 'Git Hub!')
    await page.click('dialog button:has-text("Save")')
    await until(async () => (await entries())[0]?.replacement === 'Git Hub!')
    await page.click('input[aria-label="On: git hub"]')
    await until(async () => (await entries())[0]?.enabled === false)
    // A change that the page has not loaded yet is restored as well.
    const { id } = (await entries())[0]!
    const headers = { 'content-type': 'application/json' }
    const body = JSON.stringify({ priority: 7 })
    await fetch(`${server.url}/dictionary/${id}`, { method: 'PATCH', headers, body })
    const [before] = await entries()
    await page.click('button[aria-label="Delete git hub"]')
    await until(async () => (await entries()).length === 0)
    await page.click('button:text-is("Undo")')
    await page.waitForSelector('.lines .word:has-text("git hub")')
    const [after] = await entries()
    const { id: _before, updated_at: _then, ...kept } = before!
    expect(after).toMatchObject(kept)
    await close()
  }, 180_000)

  test('the list is searched and filtered by kind, and the whole dictionary is previewed', async () => {
    for (const entry of [{ word: 'Kubernetes' }, { word: 'btw', replacement: 'by the way' }]) {
      const headers = { 'content-type': 'application/json' }
      await fetch(`${server.url}/dictionary`, { method: 'POST', headers, body: JSON.stringify(entry) })
    }
    const { page, close } = await open()
    await page.waitForSelector('text=3 entries')
    await page.fill('input[type=search]', 'kub')
    await page.waitForSelector('text=1 entry')
    await page.fill('input[type=search]', '')
    await page.selectOption('select[aria-label=Type]', 'replacement')
    await page.waitForSelector('text=2 entries')
    await page.fill('input[type=search]', 'nothing like it')
    await page.waitForSelector('text=No matching entry')
    await page.fill('#try-text', 'it is late btw')
    await page.waitForSelector('ins:has-text("by the way")')
    await close()
  }, 180_000)

  test('importing a file and clearing the dictionary can both be undone', async () => {
    const { page, close } = await open()
    const before = await words()
    const buffer = Buffer.from('Ada Lovelace | ada love lace\n=> nothing\n')
    await page.setInputFiles('#dictionary-file', { name: 'mine.txt', mimeType: 'text/plain', buffer })
    await page.waitForSelector('.faults li:has-text("Line 2")')
    await page.waitForSelector('form section li:has-text("Ada Lovelace")')
    expect(await words()).toEqual(before)
    await page.click('form button:has-text("Import")')
    await page.waitForSelector('.lines .word:has-text("Ada Lovelace")')
    expect(await words()).toEqual([...before, 'Ada Lovelace'].toSorted())
    await page.click('button:text-is("Undo")')
    await until(async () => Bun.deepEquals(await words(), before))
    await page.click('text=Delete all entries')
    await until(async () => (await words()).length === 0)
    // Nothing is left to delete or to export.
    await page.waitForSelector('text=Delete all entries', { state: 'detached' })
    await page.click('button:text-is("Undo")')
    await until(async () => Bun.deepEquals(await words(), before))
    const [download] = await Promise.all([page.waitForEvent('download'), page.click('a:has-text("CSV")')])
    expect(download.suggestedFilename()).toBe('dictionary.csv')
    await close()
  }, 180_000)

  test('a vocabulary word is recognised, and a removed one is shown as such', async () => {
    const { page, close } = await open()
    await page.click('text=Add an entry')
    await page.fill('#entry-word', 'Siobhan')
    await page.keyboard.press('Enter')
    await page.waitForSelector('.lines li:has-text("Siobhan"):has-text("Term")')
    await page.click('text=Add an entry')
    await page.fill('#entry-word', 'basically')
    await page.selectOption('#entry-type', 'omit')
    await page.click('dialog button:has-text("Save")')
    await page.waitForSelector('.lines li:has-text("basically"):has-text("Leave out")')
    await page.fill('#try-text', 'Please basically call Siobhan.')
    await page.waitForSelector('del:has-text("basically")')
    const kept = (await entries()).filter(({ word }) => word === 'Siobhan' || word === 'basically')
    expect(kept.map(({ word, type, replacement }) => [word, type, replacement])).toEqual([
      ['basically', 'omit', null],
      ['Siobhan', 'term', null],
    ])
    await close()
  }, 180_000)

  test('the page asks about an ambiguous first row before anything is imported', async () => {
    const { page, close } = await open()
    const before = await words()
    const buffer = Buffer.from('original;foo\nteh;the\n')
    await page.setInputFiles('#dictionary-file', { name: 'mine.csv', mimeType: 'text/csv', buffer })
    await page.waitForSelector('code:has-text("original;foo")')
    expect(await page.isDisabled('form button:text-is("Import")')).toBe(true)
    await page.click('button:has-text("Yes, these are column names")')
    await page.waitForSelector('form section li:has-text("teh"):has-text("the")')
    expect(await words()).toEqual(before)
    await page.click('form button:text-is("Import")')
    await page.waitForSelector('.lines .word:has-text("teh")')
    expect(await words()).toEqual([...before, 'teh'].toSorted())
    await close()
  }, 180_000)

  test('passes axe, and nothing is wider than the screen, in the list and in the form', async () => {
    await expectGoodLooks(browser, server.url, {
      path: '/dictionary',
      ready: (page) => page.waitForSelector('.lines'),
    })
    await expectGoodLooks(browser, server.url, {
      path: '/dictionary',
      async ready(page) {
        await page.click('button[aria-label="Edit git hub"]')
        await page.click('dialog summary')
      },
    })
  }, 120_000)
})
