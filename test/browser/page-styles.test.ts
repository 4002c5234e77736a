// The writing styles on the page, checked through the API.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Browser, Page } from 'playwright-core'
import { hasBrowser, openBrowser } from '../support/browser.ts'
import { expectSoon } from '../support/expect-soon.ts'
import { openPage } from '../support/page.ts'
import { expectGoodLooks } from '../support/page-looks.ts'
import { type RunningServer, startServer } from '../support/server.ts'
import { until } from '../support/until.ts'

describe.skipIf(!hasBrowser)('the writing styles on the page', () => {
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

  type Style = Record<string, unknown> & { name: string }
  const styles = async () =>
    ((await (await fetch(`${server.url}/writing-styles`)).json()) as { items: Style[] }).items
  const styleCalled = async (name: string) => (await styles()).find((style) => style.name === name)
  const changedElsewhere = async (name: string, changes: object) =>
    fetch(`${server.url}/writing-styles/${(await styleCalled(name))!.id}`, {
      method: 'PATCH',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(changes),
    })
  const becomes = (name: string, expected: object) =>
    until(async () => Bun.deepMatch(expected, (await styleCalled(name)) ?? {}), {
      what: `${name} to be ${JSON.stringify(expected)}`,
    })
  const open = () => openPage(browser, server.url, { path: '/writing-styles', allowed: [/409/, /422/] })
  const choose = (page: Page, name: string) => page.click(`.lines a:has(.word:text-is("${name}"))`)
  const unfold = (page: Page, section: string) => page.click(`summary:has-text("${section}")`)

  test('a text is previewed with a style while typing, with the steps that changed it', async () => {
    const { page, faults, close } = await open()
    await choose(page, 'Default')
    await page.fill('#style-text', 'um we meet on friday')
    await page.waitForSelector('.changed del:has-text("um")')
    await page.waitForSelector('text=/Rules applied: .*fillers/')
    await page.click('[aria-label="All writing styles"]')
    await choose(page, 'Verbatim')
    await page.waitForSelector('text=No changes.')
    expect(faults).toEqual([])
    await close()
  }, 180_000)

  test.each([
    ['en-US', 'So we meet on Tuesday at 3 pm, bring 25 copies.'],
    ['de-DE', 'Also wir treffen uns am dienstag um 3 uhr, bring 25 kopien mit.'],
  ])(
    'the sample shows what a style for any language does, in the language of the page (%s)',
    async (locale, made) => {
      const { page, faults, close } = await openPage(browser, server.url, { path: '/writing-styles', locale })
      await page.click('.lines a:has-text("E-Mail"), .lines a:has(.word:text-is("Email"))')
      await page.waitForSelector('.changed ins')
      const shown = () =>
        page.$eval('.changed', (one) => {
          const copy = one.cloneNode(true) as Element
          for (const gone of copy.querySelectorAll('del')) gone.remove()
          return copy.textContent!.trim()
        })
      await expectSoon(shown, made)
      expect(await page.locator('.warning').count()).toBe(0)
      expect(faults).toEqual([])
      await close()
    },
    60_000,
  )

  test('the form is previewed before it is saved, and the preview stores nothing', async () => {
    const { page, faults, close } = await open()
    await choose(page, 'Default')
    await page.fill('#style-text', 'um we meet at noon')
    await page.waitForSelector('.changed del:has-text("um")')
    await page.uncheck('#style-remove_fillers')
    await page.selectOption('#style-smart_cleanup', 'no')
    await page.waitForSelector('.changed del:has-text("um")', { state: 'detached' })
    await page.selectOption('#style-trailing_period', 'add')
    await page.waitForSelector('.changed ins:has-text(".")')
    await unfold(page, 'Language model')
    await page.click('text=Add an example')
    await page.fill('#style-example-0-input', 'half of one')
    await page.selectOption('#style-tone', 'verbatim')
    await page.waitForSelector('text=No changes.')
    expect(await styleCalled('Default')).toMatchObject({
      tone: 'neutral',
      smart_cleanup: null,
      rules: { remove_fillers: true, trailing_period: 'keep' },
    })
    expect(faults).toEqual([])
    await close()
  }, 180_000)

  test('a custom style is created, edited in all its parts, deleted, and restored by Undo', async () => {
    const { page, faults, close } = await open()
    await page.click('text=Add a style')
    await page.waitForSelector('h1:has-text("New style")')
    await page.fill('#style-name', 'Minutes')
    await unfold(page, 'Where it applies')
    await unfold(page, 'Language model')
    await page.fill('#style-apps', 'Zoom\nTeams')
    await page.fill('#style-url_patterns', '*.example.com/minutes')
    await page.selectOption('#style-numbers', 'words')
    await page.selectOption('#style-smart_cleanup', 'no')
    await page.check('#style-trailing_space')
    await page.selectOption('#style-tone', 'formal')
    await page.fill('#style-priority', '7')
    await page.click('text=Add an example')
    await page.fill('#style-example-0-input', 'so')
    await page.fill('#style-example-0-output', 'So.')
    await page.click('form button:has-text("Save")')
    const expected = {
      apps: ['Zoom', 'Teams'],
      url_patterns: ['*.example.com/minutes'],
      smart_cleanup: false,
      tone: 'formal',
      priority: 7,
      examples: [{ input: 'so', output: 'So.' }],
      rules: { numbers: 'words', trailing_space: true, remove_fillers: true },
    }
    await becomes('Minutes', expected)
    // A change that the page has not loaded yet is restored as well.
    await changedElsewhere('Minutes', { description: 'Of another program' })
    // The list opens before the deletion: the preview would request a deleted style.
    await page.route('**/writing-styles/*', async (route) => {
      if (route.request().method() === 'DELETE')
        await page.waitForSelector('h1:text-is("Writing styles")', { timeout: 10_000 })
      await route.continue()
    })
    await page.click('button.danger:has-text("Delete")')
    await until(async () => (await styleCalled('Minutes')) === undefined)
    await page.click('button:text-is("Undo")')
    await becomes('Minutes', { ...expected, description: 'Of another program' })
    expect(faults).toEqual([])
    await close()
  }, 180_000)

  test('another style becomes the default, a built-in one is edited, reset, and the reset is undone', async () => {
    const { page, close } = await open()
    await choose(page, 'Verbatim')
    await page.click('text=Make default')
    await becomes('Verbatim', { is_default: true })
    await page.fill('#style-description', 'Mine')
    await page.click('form button:has-text("Save")')
    await becomes('Verbatim', { description: 'Mine' })
    await changedElsewhere('Verbatim', { tone: 'formal' })
    await page.click('text=Reset')
    await until(async () => (await styleCalled('Verbatim'))?.description !== 'Mine')
    await page.click('button:text-is("Undo")')
    await becomes('Verbatim', { description: 'Mine', tone: 'formal' })
    await close()
  }, 180_000)

  test('invalid input is rejected next to its field', async () => {
    const { page, close } = await open()
    await choose(page, 'Minutes')
    await unfold(page, 'Where it applies')
    await page.fill('#style-url_patterns', '/wiki')
    await page.fill('#style-priority', 'high')
    // A folded section opens again for its errors.
    await unfold(page, 'Where it applies')
    await page.click('form button:has-text("Save")')
    await page.waitForSelector('#style-url_patterns-fault:has-text("must begin with a host")')
    await page.waitForSelector('#style-priority-fault:has-text("Priority must be")')
    await close()
  }, 180_000)

  test('passes axe, and nothing is wider than the screen', async () => {
    await expectGoodLooks(browser, server.url, {
      path: '/writing-styles',
      ready: (page) => page.waitForSelector('.lines'),
    })
    await expectGoodLooks(browser, server.url, {
      path: `/writing-styles/${(await styleCalled('Minutes'))!.id}`,
      async ready(page) {
        await unfold(page, 'Where it applies')
        await unfold(page, 'Language model')
        await page.waitForSelector('.changed')
      },
    })
  }, 180_000)
})
