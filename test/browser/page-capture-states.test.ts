// A capture in a difficult state: failed, without audio, in transcription, or in a browser without highlights.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { hasBrowser, openBrowser } from '../support/browser.ts'
import { createTestFolder } from '../support/database.ts'
import { expectSoon } from '../support/expect-soon.ts'
import { openPage } from '../support/page.ts'
import { expectGoodLooks } from '../support/page-looks.ts'
import { type RunningServer, startServer } from '../support/server.ts'
import { formOf, recordingFile } from '../support/speech.ts'
import { until } from '../support/until.ts'

type Made = { id: string; audio_path: string }
type Kept = { updated_at: string; status: string; segments: { text: string; start: number }[] }

describe.skipIf(!hasBrowser)('a capture in a difficult state', () => {
  let folder: Awaited<ReturnType<typeof createTestFolder>>
  let server: RunningServer
  let browser: Browser
  const start = () => {
    const env = folder.databaseUrl === null ? {} : { DATABASE_URL: folder.databaseUrl }
    return startServer({ dataFolder: folder.dataFolder, env })
  }
  const make = async (body: FormData): Promise<Made> =>
    (await fetch(`${server.url}/captures?wait=true`, { method: 'POST', body })).json()
  const makeOf = async (file: string) => make(await formOf(file, { source: 'file' }))
  const kept = async (id: string): Promise<Kept> => (await fetch(`${server.url}/captures/${id}`)).json()
  const post = (path: string) => fetch(server.url + path, { method: 'POST' })
  const open = async (id: string, options: Parameters<typeof openPage>[2] = {}) => {
    const opened = await openPage(browser, server.url, { path: `/captures/${id}`, ...options })
    await opened.page.waitForSelector('.titlerow h1')
    return opened
  }

  beforeAll(async () => {
    folder = await createTestFolder()
    server = await start()
    browser = await openBrowser()
  }, 180_000)
  afterAll(async () => {
    await browser?.close()
    await server?.[Symbol.asyncDispose]()
    await folder?.[Symbol.asyncDispose]()
  })

  test('that failed shows the reason, offers its audio for download, and can be retried', async () => {
    const broken = (await recordingFile('human-6.flac').bytes()).slice(0, 60)
    const form = new FormData()
    form.set('file', new File([broken], 'broken.flac'))
    const { id } = await make(form)
    const { page, faults, close } = await open(id)
    await expectSoon(() => page.textContent('.failure strong'), 'Failed.')
    await page.click('.failure summary')
    await expectSoon(() => page.textContent('.failure code'), 'undecodable_audio')
    const download = page.waitForEvent('download')
    await page.click('.failure a[download]')
    expect((await download).suggestedFilename()).toBe(`capture_${id}.flac`)
    const before = (await kept(id)).updated_at
    await page.click('.failure >> text=Retry')
    await until(async () => {
      const { updated_at: changed, status } = await kept(id)
      return changed !== before && status === 'failed'
    })
    await page.waitForSelector('.failure')
    await page.click('.actions [title="More actions"]')
    await expectSoon(
      () => page.locator('.menu button').allTextContents(),
      ['Transcribe again', 'Print', 'Delete'],
    )
    await page.keyboard.press('Escape')
    await expectSoon(() => page.isDisabled('.actions >> text=Copy text'), true)
    expect(faults).toEqual([])
    await close()
    const ready = (page: Parameters<Parameters<typeof expectGoodLooks>[2]['ready']>[0]) =>
      page.waitForSelector('.failure')
    await expectGoodLooks(browser, server.url, { path: `/captures/${id}`, ready })
  }, 120_000)

  test('that is being transcribed rejects a segment edit, keeps the typed text, and saves it after the job is cancelled', async () => {
    const { id } = await makeOf('short-03.flac')
    const others: string[] = []
    for (let n = 0; n < 4; n++) {
      const body = await formOf('long-3-minutes.flac', { source: 'file' })
      const made = await fetch(`${server.url}/captures?wait=false`, { method: 'POST', body })
      others.push((await made.json()).id)
    }
    await post(`/captures/${id}/retranscribe?wait=false`)
    const { page, close } = await open(id)
    await page.waitForSelector('.underway')
    await page.click('[aria-label="Edit the passage at 0:00"]')
    await page.fill('.editor textarea', 'Typed while it waited')
    await page.click('h1')
    await page.waitForSelector('.editor [role=alert]')
    expect(await page.inputValue('.editor textarea')).toBe('Typed while it waited')
    await page.click('.underway >> text=Cancel')
    await page.waitForSelector('.underway', { state: 'detached' })
    await page.focus('.editor textarea')
    await page.keyboard.press('Control+Enter')
    await page.waitForSelector('.said >> text=Typed while it waited')
    expect((await kept(id)).segments[0]!.text).toBe('Typed while it waited')
    for (const other of others) await post(`/captures/${other}/cancel`)
    await close()
  }, 120_000)

  test('is followed segment by segment if the browser has no highlight API', async () => {
    const { id } = await makeOf('paragraph-2.flac')
    const { page, faults, close } = await open(id, {
      script: 'delete CSS.highlights; delete window.Highlight',
    })
    expect(await page.evaluate("'highlights' in CSS")).toBe(false)
    await page.click('.player [aria-label=Play]')
    await page.waitForSelector('[data-segment="0"][data-now]')
    const { start } = (await kept(id)).segments[1]!
    await page.fill('.player input[type=range]', String(start + 0.1))
    await page.waitForSelector('[data-segment="1"][data-now]')
    await expectSoon(() => page.locator('[data-now]').count(), 1)
    await page.click('.player [aria-label=Pause]')
    await page.keyboard.press('F7')
    expect(faults).toEqual([])
    await close()
  }, 120_000)

  test('whose audio is deleted says so, and keeps its text with all text actions', async () => {
    const { id, audio_path: path } = await makeOf('short-01.flac')
    rmSync(join(folder.dataFolder, path))
    const { page, close } = await open(id, { allowed: [/410/] })
    await page.waitForSelector('text=Your browser can’t play this recording')
    await close()
    expect((await fetch(`${server.url}/captures/${id}/audio`)).status).toBe(410)
    await server.stop()
    server = await start()
    const later = await open(id)
    await later.page.waitForSelector('text=The audio has been deleted. The transcript is still here.')
    await later.page.click('.actions [title="More actions"]')
    const tools = later.page.locator('.menu button')
    await expectSoon(() => tools.allTextContents(), ['Compare', 'Clean up', 'Print', 'Delete'])
    await later.page.keyboard.press('Escape')
    await later.page.click('.actions [title=Download]')
    await later.page.waitForSelector('.menu >> text=Markdown')
    expect(await later.page.locator('.menu >> text=Audio').count()).toBe(0)
    await later.page.keyboard.press('Escape')
    await later.page.click('[aria-label="Edit the passage at 0:00"]')
    await later.page.keyboard.press('Escape')
    expect(later.faults).toEqual([])
    await later.close()
    const list = await openPage(browser, server.url, { path: '/captures' })
    await list.page.waitForSelector('.capturerow')
    const row = list.page.locator('.capturerow', { has: list.page.locator(`[href$="${id}"]`) })
    expect(await row.locator('button[title=Play]').count()).toBe(0)
    expect(list.faults).toEqual([])
    await list.close()
  }, 180_000)
})
