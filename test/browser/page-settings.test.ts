// The settings on the page, checked through the API.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Browser, Page } from 'playwright-core'
import { hasBrowser, openBrowser } from '../support/browser.ts'
import { expectSoon } from '../support/expect-soon.ts'
import { openPage } from '../support/page.ts'
import { expectGoodLooks } from '../support/page-looks.ts'
import { type RunningServer, startServer } from '../support/server.ts'
import { until } from '../support/until.ts'

const TOKEN = 'a-token-of-more-than-sixteen-letters'

describe.skipIf(!hasBrowser)('the settings on the page', () => {
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

  const settings = async () =>
    (await (await fetch(`${server.url}/settings/captures`)).json()) as Record<string, unknown>
  const becomes = (name: string, value: unknown) =>
    until(async () => Bun.deepEquals((await settings())[name], value), { what: name })
  const open = (section = 'hearing') =>
    openPage(browser, server.url, { path: `/settings?section=${section}`, allowed: [/422/] })
  const choose = (page: Page, section: string) => page.click(`.sections a:text-is("${section}")`)

  test('are saved on change: checkboxes, selects, numbers, texts, languages, keys', async () => {
    const { page, faults, close } = await open()
    await page.selectOption('#setting-language', 'de')
    await becomes('language', 'de')
    await page.selectOption('#setting-language', { label: 'Automatic' })
    await becomes('language', 'auto')
    await page.fill('#setting-initial_prompt', 'Kubernetes, Ada Lovelace')
    await page.keyboard.press('Tab')
    await becomes('initial_prompt', 'Kubernetes, Ada Lovelace')
    await page.selectOption('#setting-languages', 'fr')
    await becomes('languages', ['fr'])
    await page.selectOption('#setting-languages', 'en')
    await becomes('languages', ['fr', 'en'])
    await page.click('button[aria-label="Remove French"]')
    await becomes('languages', ['en'])
    await choose(page, 'Writing')
    await page.uncheck('#setting-smart_cleanup')
    await becomes('smart_cleanup', false)
    await page.selectOption('#setting-default_writing_style_id', { label: 'Verbatim' })
    await until(async () => String((await settings()).default_writing_style_id).endsWith('02'))
    await choose(page, 'This server')
    await page.fill('#setting-typing_wpm', '60')
    await page.keyboard.press('Tab')
    await becomes('typing_wpm', 60)
    await choose(page, 'Storage and deletion')
    await page.fill('#setting-retention_days', '90')
    await page.keyboard.press('Enter')
    await becomes('retention_days', 90)
    await page.fill('#setting-retention_days', '')
    await page.keyboard.press('Tab')
    await becomes('retention_days', null)
    await choose(page, 'This server')
    await page.selectOption('#setting-engine', 'auto')
    await becomes('engine', 'auto')
    await page.selectOption('#setting-engine', { label: 'As the server was started' })
    await becomes('engine', null)
    await choose(page, 'Dictate into any app')
    await page.fill('#setting-chord_push_to_talk_keys', 'F9')
    await page.keyboard.press('Tab')
    await becomes('chord_push_to_talk_keys', ['F9'])
    expect(faults).toEqual([])
    await close()
  }, 180_000)

  test('are found by any word of their name, help or section', async () => {
    const { page, faults, close } = await open()
    await page.fill('.sections input', 'delet days')
    await expectSoon(
      () => page.locator('.setting > label').allTextContents(),
      ['Days in the trash', 'Days to keep recordings', 'Days to keep audio'],
    )
    await page.fill('.sections input', 'theme of this page')
    await page.waitForSelector('[role=status]:has-text("No matching setting")')
    await page.fill('.sections input', 'this page')
    await page.waitForSelector('#settings-theme')
    await choose(page, 'Language model')
    await page.waitForSelector('h2:text-is("Language model")')
    await page.reload()
    await page.waitForSelector('#setting-llm_base_url')
    expect(faults).toEqual([])
    await close()
  }, 180_000)

  test('a response to an earlier change does not overwrite newer input', async () => {
    const { page, faults, close } = await open('server')
    const asked = Promise.withResolvers<void>()
    const answered = Promise.withResolvers<void>()
    await page.route('**/settings/captures', async (route) => {
      if (route.request().method() !== 'PATCH') return route.continue()
      asked.resolve()
      await answered.promise
      await route.continue()
    })
    await page.fill('#setting-typing_wpm', '61')
    await page.keyboard.press('Enter')
    await asked.promise
    await page.fill('#setting-typing_wpm', '62')
    answered.resolve()
    await page.waitForSelector('[role=status]:has-text("saved"), [aria-live]:has-text("saved")', {
      state: 'attached',
    })
    expect(await page.inputValue('#setting-typing_wpm')).toBe('62')
    await page.keyboard.press('Tab')
    await becomes('typing_wpm', 62)
    expect(faults).toEqual([])
    await close()
  }, 180_000)

  test('an invalid value is rejected next to its field, in words for people, and changes nothing', async () => {
    const { page, close } = await open('llm')
    await page.fill('#setting-llm_base_url', 'localhost:11434')
    await page.keyboard.press('Tab')
    await expectSoon(
      () => page.textContent('#setting-llm_base_url-fault'),
      'The address must begin with “http://” or “https://”.',
    )
    await expectSoon(() => page.getAttribute('#setting-llm_base_url', 'aria-invalid'), 'true')
    expect((await settings()).llm_base_url).toBeNull()
    await page.fill('#setting-llm_base_url', 'http://127.0.0.1:9/v1')
    await page.keyboard.press('Tab')
    await page.waitForSelector('#setting-llm_base_url-fault', { state: 'hidden' })
    await becomes('llm_base_url', 'http://127.0.0.1:9/v1')
    await close()
  }, 180_000)

  test('a setting without effect shows a warning in its group', async () => {
    const { page, close } = await open('llm')
    await page.fill('#setting-llm_base_url', '')
    await page.keyboard.press('Tab')
    await becomes('llm_base_url', null)
    await page.fill('#setting-llm_model', 'qwen')
    await page.keyboard.press('Tab')
    await page.waitForSelector(
      'section:has(#settings-llm) .warning:has-text("A model is named, but no server")',
    )
    await page.fill('#setting-llm_model', '')
    await page.keyboard.press('Tab')
    await becomes('llm_model', 'auto')
    await close()
  }, 180_000)

  test('health and storage are shown, in German if chosen', async () => {
    const { page, faults, close } = await open('health')
    await page.waitForSelector('dd:has-text("All is well")')
    expect(await page.textContent('.folders')).toContain(server.dataFolder)
    await choose(page, 'This page')
    await page.selectOption('#settings-language', 'de')
    await choose(page, 'Zustand')
    await page.waitForSelector('dd:has-text("Alles in Ordnung")')
    await choose(page, 'Aufbewahren und löschen')
    await page.waitForSelector('h2:has-text("Aufbewahren und löschen")')
    expect(faults).toEqual([])
    await close()
  }, 180_000)

  test('with a token, signing out leads back to the sign-in form', async () => {
    await using own = await startServer({ env: { DICTATION_TOKEN: TOKEN } })
    const context = await browser.newContext()
    const page = await context.newPage()
    await page.goto(`${own.url}/`)
    await page.fill('input[name=token]', TOKEN)
    await page.click('button')
    await page.waitForSelector('input[name=token]', { state: 'detached' })
    await page.goto(`${own.url}/#/settings?section=health`)
    await page.click('text=Sign out')
    await page.waitForSelector('input[name=token]')
    expect(await page.evaluate(() => sessionStorage.length)).toBe(0)
    await context.close()
  }, 180_000)

  test('passes axe, and nothing is wider than the screen', async () => {
    for (const [section, last] of [
      ['hearing', '#setting-no_speech_threshold'],
      ['keeping', '#setting-record_app_context'],
      ['health', '.folders'],
    ] as const)
      await expectGoodLooks(browser, server.url, {
        path: `/settings?section=${section}`,
        ready: (page) => page.waitForSelector(last),
      })
  }, 180_000)
})
