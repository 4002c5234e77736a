import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Browser, Page } from 'playwright-core'
import { hasBrowser, openBrowser } from '../support/browser.ts'
import { createTestFolder } from '../support/database.ts'
import { expectSoon } from '../support/expect-soon.ts'
import { keepMany } from '../support/many-captures.ts'
import { accessibilityFaults, openPage } from '../support/page.ts'
import { expectGoodLooks, expectGoodLooksOf } from '../support/page-looks.ts'
import { type RunningServer, startServer } from '../support/server.ts'
import { formOf } from '../support/speech.ts'
import { until } from '../support/until.ts'

const FILES = ['short-01.flac', 'short-02.flac', 'short-03.flac']

describe.skipIf(!hasBrowser)('the list of captures', () => {
  let server: RunningServer
  let browser: Browser
  beforeAll(async () => {
    server = await startServer()
    browser = await openBrowser()
    for (const file of FILES) {
      const answer = await fetch(`${server.url}/captures?wait=true`, {
        method: 'POST',
        body: await formOf(file, { source: 'file' }),
      })
      expect(answer.ok).toBe(true)
    }
  }, 180_000)
  afterAll(async () => {
    await browser?.close()
    await server?.[Symbol.asyncDispose]()
  })

  const open = async (path = '/captures', options = {}) => {
    const opened = await openPage(browser, server.url, { path, ...options })
    await opened.page.waitForSelector('.capturerow, .nothing')
    return opened
  }
  const rows = (page: Page) => page.locator('.capturerow .name').allTextContents()
  const rowsBecome = (page: Page, names: string[]) =>
    until(async () => Bun.deepEquals(await rows(page), names), {
      what: `the rows ${names}`,
    })
  const focused = (page: Page) => page.evaluate("document.activeElement.querySelector('.name')?.textContent")

  test('shows the newest first, searches while typing, highlights matches and updates the address', async () => {
    const { page, faults, close } = await open()
    expect(await rows(page)).toEqual(FILES.toReversed())
    await page.fill('input[type=search]', 'thursday')
    await rowsBecome(page, ['short-02.flac'])
    await expectSoon(() => page.textContent('.capturerow mark'), 'Thursday')
    expect(page.url()).toContain('q=thursday')
    await page.reload()
    await rowsBecome(page, ['short-02.flac'])
    await page.fill('input[type=search]', 'zebra')
    await page.waitForSelector('.nothing')
    await expectSoon(() => page.textContent('.nothing h2'), 'Nothing found for “zebra”')
    await page.click('.nothing button')
    await rowsBecome(page, FILES.toReversed())
    expect(faults).toEqual([])
    await close()
  }, 180_000)

  test('is narrowed by dates in the search, and explains one that is not complete', async () => {
    const { page, faults, close } = await open('/captures?q=on:today')
    await rowsBecome(page, FILES.toReversed())
    expect(await page.textContent('.daygroup')).toBe('Today')
    await page.fill('input[type=search]', 'thursday on:today')
    await rowsBecome(page, ['short-02.flac'])
    await page.click('.capturerow .open')
    await page.waitForSelector('.transcript')
    await page.goBack()
    await page.fill('input[type=search]', 'thursday before:today')
    await expectSoon(() => page.textContent('.nothing h2'), 'Nothing found for “thursday before:today”')
    expect(await page.textContent('.nothing')).toContain('before:2026-11-01')
    expect(faults).toEqual([])
    await page.fill('input[type=search]', 'thursday before:20')
    await expectSoon(() => page.textContent('.nothing h2'), 'This date is not complete')
    await close()
  }, 180_000)

  test('is narrowed by filters, which appear as removable chips', async () => {
    const { page, faults, close } = await open()
    await page.click('text=Filters')
    await page.selectOption('label:has-text("Source") select', 'dictation')
    await page.waitForSelector('.nothing')
    expect(page.url()).toContain('source=dictation')
    await page.click('.chips .chip')
    await rowsBecome(page, FILES.toReversed())
    expect(faults).toEqual([])
    await close()
  }, 180_000)

  test('supports moving, starring and deleting by keys alone, and Undo restores what was deleted', async () => {
    const { page, faults, close } = await open()
    await page.focus('.capturerow .open')
    await page.keyboard.press('j')
    expect(await focused(page)).toBe('short-02.flac')
    await page.keyboard.press('ArrowUp')
    expect(await focused(page)).toBe('short-03.flac')
    await page.keyboard.press('s')
    await page.waitForSelector('.capturerow .drawn.full')
    await page.keyboard.press('s')
    await page.waitForSelector('.capturerow .drawn.full', { state: 'detached' })
    await page.keyboard.press('Delete')
    await rowsBecome(page, ['short-02.flac', 'short-01.flac'])
    await until(async () => (await focused(page)) === 'short-02.flac')
    await page.keyboard.press('Control+z')
    await rowsBecome(page, FILES.toReversed())
    expect(faults).toEqual([])
    await close()
  }, 180_000)

  test('moves by J and K from any control of a row', async () => {
    const { page, faults, close } = await open()
    for (const control of [
      '[aria-label="More: short-03.flac"]',
      '[aria-label="Star: short-03.flac"]',
      '.tick input',
    ]) {
      await page.focus('.capturerow .open')
      await page.focus(`.capturerow >> nth=0 >> ${control}`)
      await page.keyboard.press('j')
      expect(await focused(page)).toBe('short-02.flac')
      await page.keyboard.press('Tab')
      await page.keyboard.press('k')
      expect(await focused(page)).toBe('short-03.flac')
    }
    expect(faults).toEqual([])
    await close()
  }, 180_000)

  test('a capture is downloaded from the menu of its row by keyboard, and Escape closes the menu', async () => {
    const { page, faults, close } = await open()
    const opener = '[aria-label="More: short-03.flac"]'
    const row = page.locator('.capturerow').first()
    const { height } = (await row.boundingBox())!
    await page.focus('.capturerow .open')
    await page.focus(opener)
    await page.keyboard.press('Enter')
    const names = ['Text', 'Markdown', 'Word (DOCX)', 'JSON', 'Subtitles (SRT)', 'Subtitles (VTT)', 'Audio']
    await expectSoon(() => page.locator('.menu:popover-open a').allTextContents(), names)
    // The menu is in the top layer and does not stretch its row.
    expect((await row.boundingBox())!.height).toBe(height)
    expect(await accessibilityFaults(page)).toEqual([])
    await page.keyboard.press('Tab')
    await page.keyboard.press('j')
    await expectSoon(() => page.evaluate('document.activeElement.textContent'), 'Text')
    const text = page.waitForEvent('download')
    await page.keyboard.press('Enter')
    expect((await text).suggestedFilename()).toBe('short-03.txt')
    await page.click(opener)
    const sound = page.waitForEvent('download')
    await page.click('.menu:popover-open >> text=Audio')
    expect((await sound).suggestedFilename()).toEndWith('.flac')
    await page.click(opener)
    await page.keyboard.press('Escape')
    await page.waitForSelector('.menu:popover-open', { state: 'detached' })
    await expectSoon(
      () => page.evaluate("document.activeElement.getAttribute('aria-label')"),
      'More: short-03.flac',
    )
    await page.click(opener)
    await page.click('h1')
    await page.waitForSelector('.menu:popover-open', { state: 'detached' })
    expect(faults).toEqual([])
    await close()
  }, 180_000)

  test('is grouped by day and sorted as chosen, and presets narrow it', async () => {
    const { items } = await (await fetch(`${server.url}/captures?sort=recorded_at`)).json()
    const date = (at: number, recorded_at: string | null) =>
      fetch(`${server.url}/captures/${items[at].id}`, {
        method: 'PATCH',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ recorded_at }),
      })
    const yesterday = new Date()
    yesterday.setDate(yesterday.getDate() - 1)
    await date(0, '2019-05-01T12:00:00Z')
    await date(1, yesterday.toISOString())
    const { page, faults, close } = await open()
    const days = () => page.locator('.daygroup').allTextContents()
    await expectSoon(days, ['Today', 'Yesterday', 'May 2019'])
    await page.selectOption('select[aria-label="Sort by"]', 'Oldest first')
    await rowsBecome(page, FILES)
    expect(page.url()).toContain('sort=recorded_at')
    await expectSoon(days, ['May 2019', 'Yesterday', 'Today'])
    await page.click('button:text-is("Last 7 days")')
    await rowsBecome(page, FILES.slice(1))
    expect(await page.locator('.chips .chip').count()).toBe(0)
    await page.click('button:text-is("Last 7 days")')
    await rowsBecome(page, FILES)
    await page.selectOption('select[aria-label="Sort by"]', 'Longest first')
    await expectSoon(days, [])
    expect(faults).toEqual([])
    await close()
    await date(0, null)
    await date(1, null)
  }, 180_000)

  test('a recording is deleted from its menu, and the trash is a preset', async () => {
    const { page, faults, close } = await open()
    await page.click('[aria-label="More: short-02.flac"]')
    await page.click('.menu:popover-open >> text=Delete')
    await rowsBecome(page, ['short-03.flac', 'short-01.flac'])
    await page.click('button:text-is("Trash")')
    await rowsBecome(page, ['short-02.flac'])
    await page.click('[aria-label="More: short-02.flac"]')
    await page.click('.menu:popover-open >> text=Restore')
    await page.waitForSelector('text=The trash is empty.')
    await page.click('button:text-is("Trash")')
    await rowsBecome(page, FILES.toReversed())
    expect(faults).toEqual([])
    await close()
  }, 180_000)

  test('Space plays the focused capture, and stops it', async () => {
    const { page, faults, close } = await open()
    await page.focus('.capturerow .open')
    await page.keyboard.press(' ')
    await page.waitForSelector('.capturerow button[title=Pause]')
    await page.keyboard.press(' ')
    await page.waitForSelector('.capturerow button[title=Pause]', { state: 'detached' })
    expect(faults).toEqual([])
    await close()
  }, 180_000)

  test('a search result plays from the first match', async () => {
    const { page, faults, close } = await open('/captures', { script: noteSounds })
    await page.fill('input[type=search]', 'thursday')
    await rowsBecome(page, ['short-02.flac'])
    const { items } = await (await fetch(`${server.url}/captures?q=thursday`)).json()
    const { segments } = await (await fetch(`${server.url}/captures/${items[0].id}`)).json()
    const { start } = segments
      .flatMap(({ words }: { words: { word: string; start: number }[] }) => words)
      .find(({ word }: { word: string }) => word.includes('Thursday'))
    expect(start).toBeGreaterThan(0)
    await page.focus('.capturerow .open')
    await page.keyboard.press(' ')
    await page.waitForSelector('.capturerow button[title=Pause]')
    await until(async () => (await page.evaluate('soundsBegunAt()')) !== '')
    expect(Number(await page.evaluate('soundsBegunAt()'))).toBeCloseTo(start, 1)
    expect(faults).toEqual([])
    await close()
  }, 180_000)

  test('several captures are deleted at once, found in the trash, and restored', async () => {
    const { page, faults, close } = await open()
    await page.check('[aria-label="Select short-01.flac"]')
    await page.check('[aria-label="Select short-02.flac"]')
    const download = page.waitForEvent('download')
    await page.click('text=Download as ZIP')
    expect((await download).suggestedFilename()).toMatch(/^captures .*\.zip$/)
    await page.click('.selectionbar button:has-text("Delete")')
    await rowsBecome(page, ['short-03.flac'])
    await page.goto(`${server.url}/#/captures?trashed=true`)
    await rowsBecome(page, ['short-02.flac', 'short-01.flac'])
    await page.check('text=Select all shown')
    await page.click('.selectionbar button:has-text("Restore")')
    await page.waitForSelector('text=The trash is empty.')
    await page.goto(`${server.url}/#/captures`)
    await rowsBecome(page, FILES.toReversed())
    expect(faults).toEqual([])
    await close()
  }, 180_000)

  test('changes made elsewhere appear by themselves, and the focus stays in place', async () => {
    const { page, close } = await open()
    await page.focus('.capturerow:last-child .open')
    const id = (await page.getAttribute('.capturerow:first-child .open', 'href'))!.split('/').pop()
    const patch = (title: string | null) =>
      fetch(`${server.url}/captures/${id}`, {
        method: 'PATCH',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ title }),
      })
    await patch('Renamed elsewhere')
    await page.waitForSelector('text=Renamed elsewhere')
    expect(await focused(page)).toBe('short-01.flac')
    await patch(null)
    await close()
  }, 180_000)

  test('passes axe in both themes at three widths, full, filtered or empty, and nothing overflows', async () => {
    const { page, close } = await open('/captures?source=file')
    await page.click('button:has-text("Filters")')
    await page.click('[aria-label="More: short-02.flac"]')
    await page.check('[aria-label="Select short-01.flac"]')
    await expectGoodLooksOf(page)
    await page.fill('input[type=search]', 'zebra')
    await page.waitForSelector('.nothing')
    await expectGoodLooksOf(page)
    await close()
  }, 180_000)
})

describe.skipIf(!hasBrowser)('a list with more captures than a page', () => {
  const CAPTURES = 130
  test('shows the first rows before the total, then the whole page, and further pages on request', async () => {
    await using folder = await createTestFolder()
    const database = await folder.open()
    await keepMany(database, CAPTURES)
    await database.close()
    const env = folder.databaseUrl === null ? {} : { DATABASE_URL: folder.databaseUrl }
    await using server = await startServer({ dataFolder: folder.dataFolder, env })
    await using browser = await openBrowser()
    const context = await browser.newContext()
    const page = await context.newPage()
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).search))
    // The total stays unknown until this request is let through.
    const counting = Promise.withResolvers<void>()
    await page.route('**/captures?limit=1&*', async (route) => {
      await counting.promise
      await route.continue()
    })
    const rows = () => page.locator('.capturerow').count()
    const rowsAre = (count: number) => until(async () => (await rows()) === count)
    const events = page.waitForResponse((response) => new URL(response.url()).pathname === '/events')
    await page.goto(`${server.url}/#/captures`)
    await rowsAre(50)
    expect((await page.textContent('.found'))!.trim()).toBe('')
    counting.resolve()
    await until(async () => (await page.textContent('.found')) === `${CAPTURES} recordings`)
    // A change elsewhere reloads the list while the request for the second page is pending.
    await events
    await page.route('**/captures?limit=50&offset=50*', () => {})
    await page.click('text=Load more')
    const listed = await (await fetch(`${server.url}/captures?limit=1`)).json()
    const [{ id }] = (listed as { items: [{ id: string }] }).items
    await fetch(`${server.url}/captures/${id}`, {
      method: 'PATCH',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ starred: true }),
    })
    await rowsAre(100)
    await page.click('text=Load more')
    await rowsAre(CAPTURES)
    expect(asked.filter((query) => /limit=50.*count=false/.test(query))).toEqual([
      '?limit=50&offset=0&count=false',
    ])
  }, 180_000)
})

describe.skipIf(!hasBrowser)('an empty list of captures', () => {
  let server: RunningServer
  let browser: Browser
  beforeAll(async () => {
    server = await startServer()
    browser = await openBrowser()
  }, 180_000)
  afterAll(async () => {
    await browser?.close()
    await server?.[Symbol.asyncDispose]()
  })

  test('links to recording and to files, and a file dropped on it is added to the queue', async () => {
    const { page, faults, close } = await openPage(browser, server.url, { path: '/captures' })
    await page.waitForSelector('.nothing')
    await expectSoon(() => page.textContent('.nothing .primary'), 'Record')
    await page.evaluate(`(() => {
      const dataTransfer = new DataTransfer()
      dataTransfer.items.add(new File(['no sound'], 'dropped.wav', { type: 'audio/wav' }))
      document.querySelector('.nothing').dispatchEvent(new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer }))
    })()`)
    await page.waitForSelector('.filename >> text=dropped.wav')
    expect(page.url()).toEndWith('/#/files')
    // The file is not audio, so the server answers 415.
    expect(faults.filter((fault) => !fault.includes('415'))).toEqual([])
    await close()
  }, 180_000)

  test('passes the visual checks in both themes at three widths', async () => {
    const ready = (page: Page) => page.waitForSelector('.nothing')
    await expectGoodLooks(browser, server.url, { path: '/captures', ready })
  }, 120_000)

  test('transcribes the sample and shows its capture', async () => {
    const { page, faults, close } = await openPage(browser, server.url, { path: '/captures' })
    await page.click('.nothing >> text=Try the sample')
    await page.waitForSelector('.titlerow h1 >> text=Sample')
    await page.waitForSelector('.transcript .said', { timeout: 60_000 })
    expect(faults).toEqual([])
    await close()
  }, 120_000)
})

/** Runs in the page: the start time of each playback. */
const noteSounds = `
  const play = HTMLMediaElement.prototype.play
  const begun = []
  HTMLMediaElement.prototype.play = function () {
    begun.push(this.currentTime)
    return play.call(this)
  }
  window.soundsBegunAt = () => begun.join()
`
