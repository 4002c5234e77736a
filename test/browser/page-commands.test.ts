// Command Mode on the page, checked through the API.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Browser } from 'playwright-core'
import { hasBrowser, openBrowser } from '../support/browser.ts'
import { expectSoon } from '../support/expect-soon.ts'
import { openPage } from '../support/page.ts'
import { expectGoodLooks } from '../support/page-looks.ts'
import { type RunningServer, startServer } from '../support/server.ts'
import { until } from '../support/until.ts'

describe.skipIf(!hasBrowser)('Command Mode on the page', () => {
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

  type Saved = { id: string; name: string; triggers: string[]; steps: string[] | null }
  const itemsAt = async <T>(path: string) =>
    ((await (await fetch(`${server.url}${path}`)).json()) as { items: T[] }).items
  const saved = () => itemsAt<Saved>('/commands?source=saved')
  const history = () => itemsAt<{ command: { instruction: string } }>('/commands/history')
  const open = () => openPage(browser, server.url, { path: '/commands', allowed: [/409/, /422/] })

  test('a command is tried on a text and is not recorded, unless that is chosen', async () => {
    const { page, faults, close } = await open()
    await page.fill('#command-instruction', 'put this in title case')
    await page.fill('#command-text', 'the lord of the rings')
    await page.click('button:has-text("Run")')
    await page.waitForSelector('.run ins:has-text("Lord")')
    await page.waitForSelector('.run .badge:has-text("Done")')
    expect(await history()).toEqual([])
    await page.fill('#command-instruction', 'press enter')
    await page.click('button:has-text("Run")')
    await page.waitForSelector('.run kbd:has-text("enter")')
    await page.fill('#command-instruction', 'replace Monday with Tuesday')
    await page.click('button:has-text("Run")')
    await page.waitForSelector('.run .badge:has-text("Nothing to replace")')
    await page.fill('#command-instruction', 'sing me a song about this')
    await page.click('button:has-text("Run")')
    await page.waitForSelector('.run .badge:has-text("Needs a language model")')
    await expectSoon(() => page.getAttribute('.run a', 'href'), '#/settings?section=llm')
    expect(await page.textContent('.run')).not.toContain('PATCH')
    await page.fill('#command-instruction', 'put this in upper case')
    await page.check('#command-keep')
    await page.click('button:has-text("Run")')
    await page.waitForSelector('li .run ins:has-text("LORD")')
    expect((await history()).map(({ command }) => command.instruction)).toEqual(['put this in upper case'])
    expect(faults).toEqual([])
    await close()
  }, 180_000)

  test('the history is cleared after confirmation', async () => {
    const { page, close } = await open()
    await page.click('section > button.danger')
    await page.click('dialog[open] button:has-text("Cancel")')
    expect(await history()).toHaveLength(1)
    await page.click('section > button.danger')
    await page.click('dialog[open] button.danger')
    await until(async () => (await history()).length === 0)
    await page.waitForSelector('text=No commands yet')
    await close()
  }, 180_000)

  test('the built-in ones are listed by group, filtered, and tried from there', async () => {
    const { page, faults, close } = await open()
    await page.waitForSelector('summary:has-text("Keys and symbols")')
    expect(await page.locator('.commands details[open]').count()).toBe(0)
    await page.fill('.commands input[type=search]', 'bullet list')
    await page.waitForSelector('details[open] .word:text-is("bullet list")')
    expect(await page.locator('.commands details').count()).toBe(1)
    await page.click('details[open] li:has(.word:text-is("bullet list")) button')
    expect(await page.inputValue('#command-instruction')).not.toBe('')
    await page.fill('.commands input[type=search]', 'zzz')
    await page.waitForSelector('[role=status]:has-text("No matching command")')
    expect(faults).toEqual([])
    await close()
  }, 180_000)

  test('a command is composed of others, edited, run, deleted, and restored by Undo', async () => {
    const { page, faults, close } = await open()
    await page.click('text=Add a command')
    await page.fill('#saved-name', 'Clean list')
    await page.fill('#saved-triggers', 'clean this list')
    await page.fill('#saved-what', 'no such command at all')
    await page.click('dialog button:has-text("Save")')
    await page.waitForSelector('dialog .fault:not(:empty)')
    await page.fill('#saved-what', 'remove empty lines\nsort lines')
    await page.click('dialog button:has-text("Save")')
    await page.click('button[aria-label="Edit Clean list"]')
    await page.fill('#saved-triggers', 'clean this list\ntidy this list')
    await page.click('dialog button:has-text("Save")')
    await until(async () => (await saved())[0]?.triggers.length === 2)
    await page.fill('#command-instruction', 'tidy this list')
    await page.fill('#command-text', 'pears\n\napples')
    await page.click('button:has-text("Run")')
    await page.waitForSelector('.run strong:has-text("Clean list")')
    // A change that the page has not loaded yet is restored as well.
    const { id, name, steps } = (await saved())[0]!
    await fetch(`${server.url}/commands/${id}`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name, triggers: ['sweep this list'], steps }),
    })
    await page.click('button[aria-label="Delete Clean list"]')
    await until(async () => (await saved()).length === 0)
    await page.click('.toast button:has-text("Undo")')
    await until(async () => (await saved())[0]?.name === 'Clean list')
    expect((await saved())[0]).toMatchObject({
      steps: ['remove empty lines', 'sort lines'],
      triggers: ['sweep this list'],
    })
    expect(faults).toEqual([])
    await close()
  }, 180_000)

  test('passes axe, and nothing is wider than the screen', async () => {
    await expectGoodLooks(browser, server.url, {
      path: '/commands',
      async ready(page) {
        await page.click('summary:has-text("Lists and lines")')
        await page.fill('#command-instruction', 'put this in title case')
        await page.fill('#command-text', 'the lord of the rings')
        await page.click('button:has-text("Run")')
        await page.waitForSelector('.run ins')
      },
    })
  }, 180_000)
})
