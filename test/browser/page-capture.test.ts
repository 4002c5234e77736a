import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import type { Browser, Page } from 'playwright-core'
import { hasBrowser, openBrowser } from '../support/browser.ts'
import { expectSoon } from '../support/expect-soon.ts'
import { accessibilityFaults, openPage, type WatchedPage } from '../support/page.ts'
import { expectGoodLooksOf } from '../support/page-looks.ts'
import { type RunningServer, startServer } from '../support/server.ts'
import { formOf } from '../support/speech.ts'
import { until } from '../support/until.ts'

const PATIENCE = { timeoutMs: 60_000 }

describe.skipIf(!hasBrowser)('the view of a capture', () => {
  let server: RunningServer
  let browser: Browser
  let id: string
  let opened: WatchedPage | undefined
  const kept = async (path = '') => (await fetch(`${server.url}/captures/${id}${path}`)).json()

  beforeAll(async () => {
    server = await startServer()
    browser = await openBrowser()
    const made = await fetch(`${server.url}/captures?wait=true`, {
      method: 'POST',
      body: await formOf('paragraph-2.flac', { source: 'file' }),
    })
    id = (await made.json()).id
  }, 180_000)
  afterEach(async () => {
    const faults = opened?.faults ?? []
    await opened?.close()
    opened = undefined
    expect(faults).toEqual([])
  })
  afterAll(async () => {
    await browser?.close()
    await server?.[Symbol.asyncDispose]()
  })

  async function open(query = '', options: Parameters<typeof openPage>[2] = {}): Promise<Page> {
    opened = await openPage(browser, server.url, { path: `/captures/${id}${query}`, ...options })
    const { page } = opened
    await page.waitForSelector('.titlerow h1')
    return page
  }
  /** The text that a highlight covers. */
  const lit = (page: Page, name: string) =>
    page.evaluate(`[...(CSS.highlights.get('${name}') ?? [])].map(String).join('|')`)
  const openTool = async (page: Page, name: string) => {
    await page.click('.actions [title="More actions"]')
    await page.click(`.menu >> text=${name}`)
  }
  const place = async (page: Page) => (await page.textContent('.player .place'))!.split(' ')[0]
  const focusedLabel = (page: Page) => page.evaluate("document.activeElement.getAttribute('aria-label')")

  test('shows its metadata and its waveform', async () => {
    const page = await open()
    await expectSoon(() => page.title(), 'paragraph-2.flac – Local Dictation')
    const facts = await page.textContent('.facts')
    expect(facts).toContain('English')
    expect(facts).toContain('Tiny, English')
    await page.waitForSelector('.waveform path[d^=M]', { state: 'attached' })
  }, 180_000)

  test('covers the text that scrolls behind the player, and shows the focus on a pencil as large as the pencil', async () => {
    for (const viewport of [
      { width: 1280, height: 500 },
      { width: 390, height: 500 },
    ]) {
      const page = await open('', { viewport })
      await page.waitForSelector('[data-segment="1"]')
      await page.evaluate("document.querySelector('.transcript').style.paddingBottom = '200vh'")
      for (let by = 0; by < 4; by++) {
        // The lines of the text pass the player's far side, by a part of a line each time.
        await page.evaluate(`(() => {
          const { top } = document.querySelector('.transcript').getBoundingClientRect()
          scrollTo({ top: scrollY + top + ${by} * 9, behavior: 'instant' })
        })()`)
        const shining = await page.evaluate(`(() => {
          const player = document.querySelector('.player').getBoundingClientRect()
          const isAbove = player.top < innerHeight / 2
          const [from, to] = isAbove ? [0, player.bottom] : [player.top, innerHeight]
          const rows = Array.from({ length: Math.floor(to - from) }, (_, at) => from + at + 0.5)
          const columns = [0.1, 0.3, 0.5, 0.7, 0.9].map((share) => player.left + share * player.width)
          return rows.filter((y) => columns.some((x) => document.elementFromPoint(x, y)?.closest('.transcript')))
        })()`)
        expect(shining).toEqual([])
      }
      const pencil = page.locator('.paragraph .edit').first()
      await pencil.focus()
      const box = (await pencil.boundingBox())!
      expect(Math.max(box.width, box.height)).toBeLessThan(60)
      await opened!.close()
    }
  }, 180_000)

  test('plays from a clicked word and highlights each word as it is spoken', async () => {
    const page = await open()
    const { segments } = await kept()
    const word = segments[1].words[1]
    await page.evaluate(`(() => {
      const text = document.querySelector('[data-segment="1"] .said')
      const walker = document.createTreeWalker(text, NodeFilter.SHOW_TEXT)
      const at = text.textContent.indexOf(${JSON.stringify(word.word)}) + 1
      let passed = 0
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        if (at < passed + node.length) {
          const range = new Range()
          range.setStart(node, at - passed)
          range.setEnd(node, at - passed + 1)
          const { x, y, width, height } = range.getBoundingClientRect()
          window.clickAt = [x + width / 2, y + height / 2]
          return
        }
        passed += node.length
      }
    })()`)
    const [x, y] = (await page.evaluate('window.clickAt')) as [number, number]
    await page.mouse.click(x, y)
    await page.waitForSelector('.player [aria-label=Pause]')
    const seen = new Set<unknown>()
    await until(async () => {
      seen.add(await lit(page, 'said'))
      return seen.size > 3
    }, PATIENCE)
    const all = segments.flatMap(({ words }: { words: { word: string }[] }) => words.map((one) => one.word))
    expect([...seen].filter((text) => text !== '' && !all.includes(text))).toEqual([])
    await page.click('.player [aria-label=Pause]')
  }, 180_000)

  test('is followed during playback until the user scrolls, and a button resumes following', async () => {
    const page = await open('', { viewport: { width: 400, height: 240 } })
    const isLastInSight = () =>
      page.evaluate(`(() => {
        const { top, bottom } = [...document.querySelectorAll('.said')].at(-1).getBoundingClientRect()
        return top < innerHeight && bottom > 0
      })()`)
    expect(await isLastInSight()).toBe(false)
    await page.click('.player [aria-label=Play]')
    await page.waitForSelector('[data-now]')
    await page.mouse.move(200, 150)
    await page.mouse.wheel(0, -2000)
    const jumpBack = 'text=Back to playback position'
    await page.click(jumpBack)
    await page.waitForSelector(jumpBack, { state: 'detached' })
    // With the pointer over the player, wheel and touch scroll the page as well.
    for (const kind of ['wheel', 'touchmove']) {
      await page.dispatchEvent('.player .place', kind)
      await page.click(jumpBack)
      await page.waitForSelector(jumpBack, { state: 'detached' })
    }
    await until(async () => (await isLastInSight()) === true)
    await page.click('.player [aria-label=Pause]')
  }, 180_000)

  test('is played, sought and slowed by keys alone, which also work while the user types', async () => {
    const page = await open()
    await page.focus('.player input[type=range]')
    await page.keyboard.press('ArrowRight')
    await until(async () => (await place(page)) === '0:05', PATIENCE)
    await page.keyboard.press('Shift+ArrowRight')
    await until(async () => (await place(page)) === '0:06', PATIENCE)
    await expectSoon(() => page.getAttribute('.player input[type=range]', 'aria-valuetext'), '0:06 of 0:16')
    await page.keyboard.press('Alt+ArrowUp')
    await expectSoon(() => page.inputValue('.player select'), '1.25')
    await page.keyboard.press('k')
    await page.waitForSelector('.player [aria-label=Pause]')
    await page.keyboard.press(' ')
    await page.waitForSelector('.player [aria-label=Play]')
    await page.keyboard.press('Home')
    await page.click('[aria-label="Edit the passage at 0:00"]')
    await page.keyboard.press('Alt+l')
    await until(async () => (await place(page)) === '0:05', PATIENCE)
    await page.keyboard.press('Escape')
  }, 180_000)

  test('plays from the last of several seeks, also if one returned to an earlier position before it ended', async () => {
    const page = await open()
    await page.focus('.player input[type=range]')
    // to 5 s, to 6 s, and back by a second: resuming after a pause rewinds
    await page.evaluate(`for (const key of [{ key: 'ArrowRight' }, { key: 'ArrowRight', shiftKey: true }, { key: 'k' }])
      document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { ...key, bubbles: true }))`)
    await page.waitForSelector('.player [aria-label=Pause]')
    await until(async () => Number((await place(page))!.slice('0:'.length)) > 5, PATIENCE)
    await page.click('.player [aria-label=Pause]')
  }, 180_000)

  test('opens at the time in the address, or at the first match of the search', async () => {
    const { segments } = await kept()
    const spoken = segments
      .flatMap(({ words }: { words: { word: string; start: number }[] }) => words)
      .find(({ word }: { word: string }) => word.startsWith('lunch'))
    const page = await open('?q=lunch')
    const clock = `0:${String(Math.floor(spoken.start)).padStart(2, '0')}`
    await until(async () => (await place(page)) === clock, PATIENCE)
    expect(await lit(page, 'found')).toBe('lunch')
    await page.goto(`${server.url}/#/captures/${id}?at=3`)
    await until(async () => (await place(page)) === '0:03', PATIENCE)
  }, 180_000)

  test('steps through unsure words, and Enter edits the current one', async () => {
    const page = await open()
    const { segments } = await kept()
    const unsure = segments
      .flatMap(({ words }: { words: { word: string; probability: number }[] }) => words)
      .filter(({ probability }: { probability: number }) => probability < 0.5)
    expect(unsure.length).toBeGreaterThan(0)
    expect(await page.locator('.transcript .unsure').allTextContents()).toEqual(
      unsure.map(({ word }: { word: string }) => word),
    )
    await page.keyboard.press('F7')
    await until(async () => (await lit(page, 'unsure-now')) === unsure[0].word, PATIENCE)
    await page.keyboard.press('Enter')
    await page.waitForSelector('.editor textarea')
    expect(
      await page.evaluate(
        '(({ value, selectionStart, selectionEnd }) => value.slice(selectionStart, selectionEnd))(document.activeElement)',
      ),
    ).toBe(unsure[0].word)
    await page.keyboard.press('Escape')
  }, 180_000)

  test('a segment is edited in place and keeps its times, and Undo restores the previous text', async () => {
    const page = await open()
    const before = (await kept()).segments[0]
    await page.click('[aria-label="Edit the passage at 0:00"]')
    await page.fill('.editor textarea', before.text.replace('Dear Maria', 'Dear Marta'))
    await page.keyboard.press('Control+Enter')
    await page.waitForSelector('.said >> text=Dear Marta')
    const after = (await kept()).segments[0]
    expect(after.text).toStartWith('Dear Marta')
    expect(after.words[1].start).toBe(before.words[1].start)
    await expectSoon(() => focusedLabel(page), 'Edit the passage at 0:00')
    await page.keyboard.press('Control+z')
    await page.waitForSelector('.said >> text=Dear Maria')
    expect((await kept()).segments[0].text).toBe(before.text)
  }, 180_000)

  test('Enter saves and opens the next segment, Escape discards, and a draft survives closing the tab', async () => {
    const page = await open()
    const before = (await kept()).segments
    await page.click('[aria-label="Edit the passage at 0:00"]')
    await page.keyboard.press('Enter')
    await until(async () => (await page.inputValue('.editor textarea')) === before[1].text, PATIENCE)
    await page.fill('.editor textarea', 'half a thought')
    await page.reload()
    await page.waitForSelector('.editor textarea')
    await expectSoon(() => page.inputValue('.editor textarea'), 'half a thought')
    await page.keyboard.press('Escape')
    await page.waitForSelector('.editor', { state: 'detached' })
    expect((await kept()).segments).toEqual(before)
  }, 180_000)

  test('its title is edited by keyboard, and Undo restores the previous one', async () => {
    const page = await open()
    await page.focus('[aria-label="Edit title"]')
    await page.keyboard.press('Enter')
    await page.keyboard.type('The release')
    await page.keyboard.press('Enter')
    await page.waitForSelector('h1 >> text=The release')
    await expectSoon(() => page.title(), 'The release – Local Dictation')
    await expectSoon(() => focusedLabel(page), 'Edit title')
    await page.keyboard.press('Control+z')
    await page.waitForSelector('h1 >> text=paragraph-2.flac')
  }, 180_000)

  test('is retranscribed by another model with visible progress, and refined by a style', async () => {
    const page = await open()
    await openTool(page, 'Transcribe again')
    await page.selectOption('.tools form select', 'base-q5_1')
    await page.click('.tools form button')
    await page.waitForSelector('.underway progress')
    await page.waitForSelector('.underway', { state: 'detached', timeout: 60_000 })
    expect((await kept('/versions')).total).toBeGreaterThan(0)
    expect((await kept()).stt_model).toBe('base-q5_1')
    await openTool(page, 'Clean up')
    await page.click('.tools form button')
    await page.waitForSelector('.toast >> text=Cleaned up')
  }, 120_000)

  test("the dictionary's changes are shown word by word with their entries, and so are versions", async () => {
    const sent = { word: 'Maria', replacement: 'Marya' }
    const headers = { 'content-type': 'application/json' }
    await fetch(`${server.url}/dictionary`, { method: 'POST', headers, body: JSON.stringify(sent) })
    await fetch(`${server.url}/captures/${id}/retranscribe?wait=true`, { method: 'POST' })
    const page = await open()
    await openTool(page, 'Compare')
    await page.waitForSelector('.tools ins >> text=Marya')
    expect(await page.textContent('.tools del')).toContain('Maria')
    await page.waitForSelector('.tools >> text=“Maria” becomes “Marya”')
    await until(async () => (await page.locator('.tools select option').count()) > 2, PATIENCE)
    await page.selectOption('.tools select', { index: 2 })
    await page.check('text=Side by side')
    await expectSoon(() => page.locator('.beside section').count(), 2)
    expect(await accessibilityFaults(page)).toEqual([])
  }, 180_000)

  test('its text and its audio are saved as files', async () => {
    const page = await open()
    for (const [name, file] of [
      ['Subtitles (SRT)', 'paragraph-2.srt'],
      ['Audio', `capture_${id}.flac`],
    ]) {
      const download = page.waitForEvent('download')
      await page.click('.actions [title=Download]')
      await page.click(`.menu >> text=${name}`)
      expect((await download).suggestedFilename()).toBe(file!)
    }
  }, 180_000)

  test('a word is added to the dictionary, and an existing entry is shown and edited', async () => {
    const page = await open()
    await page.evaluate("getSelection().selectAllChildren(document.querySelector('.transcript .unsure'))")
    await page.click('.wordbar >> text=dictionary')
    await page.fill('.wordbar input >> nth=0', 'Kubernetis')
    await page.fill('.wordbar input >> nth=1', 'Kubernetes')
    await page.click('.wordbar >> text=Add')
    await page.waitForSelector('.toast >> text=Added “Kubernetis” to the dictionary')
    await page.evaluate("getSelection().selectAllChildren(document.querySelector('.transcript .unsure'))")
    await page.click('.wordbar >> text=dictionary')
    await page.fill('.wordbar input >> nth=0', 'kubernetis')
    await page.keyboard.press('Enter')
    await page.waitForSelector('.wordbar [role=alert] >> text=with “Kubernetes”')
    await page.click('.wordbar >> text=Update the entry')
    await page.waitForSelector('.toast >> text=Updated the entry')
    opened!.faults.splice(0)
  }, 180_000)

  test('a correction of words can be applied everywhere at once, and Undo takes back all of it', async () => {
    const page = await open()
    const before = (await kept()).segments[0].text
    const entries = async () => (await (await fetch(`${server.url}/dictionary?q=Marta`)).json()).total
    const [name] = before.match(/(?<=Dear )\w+/)
    await page.click('[aria-label="Edit the passage at 0:00"]')
    await page.fill('.editor textarea', before.replace(name, 'Marta'))
    await page.keyboard.press('Control+Enter')
    await page.click('.toast >> text=Always write “Marta”')
    await page.waitForSelector(`.toast >> text=“${name}” is now always written “Marta”`)
    // It stays while the pointer is on it.
    await page.hover('.toast')
    expect(await entries()).toBe(1)
    expect(await accessibilityFaults(page)).toEqual([])
    await page.keyboard.press('Control+z')
    await until(async () => (await entries()) === 0, { ...PATIENCE, what: 'the entry to be gone' })
    await fetch(`${server.url}/captures/${id}/segments/0`, {
      method: 'PATCH',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ text: before }),
    })
  }, 180_000)

  test('is trashed and restored, and deleted permanently only after confirmation', async () => {
    const made = await fetch(`${server.url}/captures?wait=true`, {
      method: 'POST',
      body: await formOf('short-01.flac', { source: 'file' }),
    })
    const { id: other } = await made.json()
    opened = await openPage(browser, server.url, { path: `/captures/${other}` })
    const { page } = opened
    await openTool(page, 'Delete')
    await page.waitForSelector('.intrash >> text=In the trash')
    await page.click('.toast >> button:text-is("Undo")')
    await page.waitForSelector('.intrash', { state: 'detached' })
    await openTool(page, 'Delete')
    await page.click('.intrash >> text=Delete for good')
    await page.keyboard.press('Escape')
    expect((await fetch(`${server.url}/captures/${other}`)).status).toBe(200)
    await page.click('.intrash >> text=Delete for good')
    await page.click('dialog >> text=Delete for good')
    await page.waitForSelector('h1 >> text=Recordings')
    expect((await fetch(`${server.url}/captures/${other}`)).status).toBe(404)
    opened.faults.splice(0)
  }, 180_000)

  test('an unknown capture is reported, with a link to the list', async () => {
    const path = `/captures/${crypto.randomUUID()}`
    opened = await openPage(browser, server.url, { path, allowed: [/404|422/] })
    expect(await opened.page.textContent('h1')).toBe('Recording not found')
    expect(await accessibilityFaults(opened.page)).toEqual([])
  }, 180_000)

  test('passes axe in both themes at three widths, with tools open or a segment being edited', async () => {
    const page = await open()
    await openTool(page, 'Transcribe again')
    await page.click('[aria-label="Edit the passage at 0:00"]')
    await expectGoodLooksOf(page)
    await page.keyboard.press('Escape')
    await page.click('.actions [title="More actions"]')
    await expectGoodLooksOf(page)
  }, 180_000)
})
