// Keys that an input method consumes, as for Japanese and Chinese, have no other effect in any field of any view.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Browser, CDPSession } from 'playwright-core'
import { hasBrowser, openBrowser } from '../support/browser.ts'
import { expectSoon } from '../support/expect-soon.ts'
import { openPage } from '../support/page.ts'
import { type RunningServer, startServer } from '../support/server.ts'
import { recordingFile } from '../support/speech.ts'
import { until } from '../support/until.ts'

const TYPED_INTO =
  'textarea, input:not([type=checkbox], [type=radio], [type=range], [type=file], [type=button])'
/** A dialog makes everything behind it unfocusable. */
const FIELDS = `:is(dialog[open], body:not(:has(dialog[open]))) :is(${TYPED_INTO}):visible`
const KEYS = ['Enter', 'Escape', ' ', 'j', 'k', 'F7', 'Delete', '?']

/** Views, and the controls that reveal their fields. */
const PLACES: [path: string, ...opened: string[]][] = [
  ['/', '.choicesform summary'],
  ['/captures'],
  ['/dictionary', 'button:has-text("Add an entry")'],
  ['/settings'],
  ['/settings?section=llm'],
  ['/writing-styles'],
  ['/commands'],
  ['/commands', 'button:has-text("Add")'],
  ['/models'],
  ['/captures/<id>'],
  ['/captures/<id>', '[aria-label="Edit title"]'],
  ['/captures/<id>', '.edit'],
]

describe.skipIf(!hasBrowser)('keys of an input method', () => {
  let server: RunningServer
  let browser: Browser
  let capture: string
  beforeAll(async () => {
    server = await startServer()
    browser = await openBrowser()
    const body = recordingFile('human-1.flac')
    const kept = await fetch(`${server.url}/captures?wait=true&title=One`, { method: 'POST', body })
    capture = (await kept.json()).id
  }, 120_000)
  afterAll(async () => {
    await browser?.close()
    await server?.[Symbol.asyncDispose]()
  })

  const open = async (path: string) => {
    const opened = await openPage(browser, server.url, { path, script: noteHandlers })
    return { ...opened, keyboard: await opened.page.context().newCDPSession(opened.page) }
  }
  const storedText = async () => (await (await fetch(`${server.url}/captures/${capture}`)).json()).text

  for (const [path, ...openers] of PLACES)
    test(`reach no handler of the page at ${[path, ...openers].join(' ')}`, async () => {
      const { page, faults, keyboard, close } = await open(path.replace('<id>', capture))
      await expectSoon(() => page.locator('main >> text=Loading').count(), 0)
      for (const opener of openers) await page.click(`${opener} >> nth=0`)
      for (const field of await page.locator(FIELDS).all()) {
        await field.focus()
        const isText = await field.evaluate((one) => (one as HTMLInputElement).selectionStart !== null)
        if (isText) await compose(keyboard, 'にほ')
        for (const key of KEYS) await press(keyboard, key)
        expect(await field.evaluate((one) => one === document.activeElement)).toBe(true)
        if (isText) await compose(keyboard, '')
      }
      await page.evaluate('document.activeElement.blur()')
      for (const key of KEYS) await press(keyboard, key)
      expect(await page.evaluate('window.handled')).toEqual([])
      expect(faults).toEqual([])
      await close()
    }, 180_000)

  test('Enter accepts a composition, and only the next Enter saves', async () => {
    const { page, faults, keyboard, close } = await open(`/captures/${capture}`)
    await page.click('.edit >> nth=0')
    await page.fill('.editor textarea', 'Hello ')
    await compose(keyboard, 'にほん')
    await press(keyboard, 'Enter')
    await keyboard.send('Input.insertText', { text: '日本' })
    // Safari's order: the composition has ended when its key arrives.
    await press(keyboard, 'Enter')
    await press(keyboard, 'Escape')
    expect(await page.inputValue('.editor textarea')).toBe('Hello 日本')
    expect(await storedText()).not.toContain('Hello')
    await page.keyboard.press('Enter')
    await until(async () => (await storedText()).startsWith('Hello 日本'))
    expect(faults).toEqual([])
    await close()
  }, 180_000)

  test('Escape discards a composition, but neither closes the dialog nor discards the text', async () => {
    const { page, faults, keyboard, close } = await open('/dictionary')
    await page.click('button:has-text("Add an entry")')
    await page.fill('dialog input >> nth=0', 'Tokyo')
    await compose(keyboard, 'とう')
    await press(keyboard, 'Escape')
    expect(await page.locator('dialog[open]').count()).toBe(1)
    await compose(keyboard, '')
    expect(await page.inputValue('dialog input >> nth=0')).toBe('Tokyo')
    await page.keyboard.press('Escape')
    await page.waitForSelector('dialog', { state: 'detached' })
    expect(faults).toEqual([])
    await close()
  }, 180_000)
})

const compose = (keyboard: CDPSession, text: string) =>
  keyboard.send('Input.imeSetComposition', { text, selectionStart: text.length, selectionEnd: text.length })

/** As an input method reports it: browsers mark such a key by its key code alone. */
async function press(keyboard: CDPSession, key: string): Promise<void> {
  await keyboard.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', key, windowsVirtualKeyCode: 229 })
  await keyboard.send('Input.dispatchKeyEvent', { type: 'keyUp', key, windowsVirtualKeyCode: 229 })
}

/**
 * Runs in the page, before its scripts: records each key handler that an input method's key reaches, except the first.
 */
const noteHandlers = `
  window.handled = []
  const noting = new Map()
  const { addEventListener, removeEventListener } = EventTarget.prototype
  let isFirst = true
  const noted = (listener) => {
    if (!noting.has(listener)) {
      noting.set(listener, function (event) {
        if (event.keyCode === 229 || event.isComposing) window.handled.push(event.key + ': ' + listener)
        return listener.call(this, event)
      })
    }
    return noting.get(listener)
  }
  EventTarget.prototype.addEventListener = function (type, listener, options) {
    const isKey = /^key(down|press)$/.test(type)
    const isGuard = isKey && isFirst
    if (isKey) isFirst = false
    return addEventListener.call(this, type, isKey && !isGuard ? noted(listener) : listener, options)
  }
  EventTarget.prototype.removeEventListener = function (type, listener, options) {
    return removeEventListener.call(this, type, noting.get(listener) ?? listener, options)
  }
`
