import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { copyFile, mkdtemp, rm, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { hasBrowser, openBrowser } from '../support/browser.ts'
import { expectSoon } from '../support/expect-soon.ts'
import { openPage } from '../support/page.ts'
import { expectGoodLooksOf } from '../support/page-looks.ts'
import { type RunningServer, startServer } from '../support/server.ts'
import { recording, recordingFile, speechFolder, wordsApart } from '../support/speech.ts'
import { until } from '../support/until.ts'

const WITHIN = { timeoutMs: 180_000 }

const rowOf = (page: Page, name: string) => page.locator('.filerow', { hasText: name })

const isIn = (page: Page, name: string, state: string) =>
  until(async () => (await rowOf(page, name).textContent())?.includes(state), WITHIN)

describe.skipIf(!hasBrowser)('the Files view, in Chromium', () => {
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

  test('turns chosen files into captures with text; a file without audio reports why and can be removed', async () => {
    const { page, faults, close } = await openPage(browser, server.url, { path: '/files', allowed: [/415/] })
    const text = { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('no sound at all') }
    const sound = { mimeType: 'audio/flac' }
    const files = await Promise.all(
      ['short-01.flac', 'nothing-silence.flac'].map(async (name) => ({
        ...sound,
        name,
        buffer: Buffer.from(await recordingFile(name).bytes()),
      })),
    )
    await page.setInputFiles('input[type=file]', [...files, text])
    await isIn(page, 'notes.txt', 'Failed')
    expect(await rowOf(page, 'notes.txt').locator('.fault').last().textContent()).not.toBe('')
    expect(await rowOf(page, 'notes.txt').getByRole('button', { name: 'Retry' }).count()).toBe(0)
    await isIn(page, 'short-01.flac', 'Done')
    await isIn(page, 'nothing-silence.flac', 'No speech found')
    await page.waitForSelector('text=2 done, 1 failed')
    await page.waitForSelector('[role=status]:has-text("2 done, 1 failed")', { state: 'attached' })
    expect(await rowOf(page, 'short-01.flac').textContent()).toMatch(/short-01\.flac\d+ kB/)
    await rowOf(page, 'notes.txt').getByRole('button', { name: 'Remove' }).click()
    await expectSoon(() => page.locator('.filerow').count(), 2)
    await page.waitForSelector('text=2 done')
    const said = (await rowOf(page, 'short-01.flac').locator('p').textContent())!
    expect(wordsApart(said, recording('short-01.flac').text)).toBeLessThanOrEqual(2)
    const link = await rowOf(page, 'short-01.flac').getByRole('link').getAttribute('href')
    const kept = await fetch(`${server.url}/captures/${link!.replace('#/captures/', '')}`)
    expect(await kept.json()).toMatchObject({ file_name: 'short-01.flac', source: 'file', text: said })
    await page.getByRole('button', { name: 'Clear finished files' }).click()
    await expectSoon(() => page.locator('.filerow').count(), 0)
    expect(faults).toEqual([])
    await close()
  }, 400_000)

  test('accepts files dropped on any view, shows progress, and cancels without losing the recording', async () => {
    const { page, faults, close } = await openPage(browser, server.url)
    const sound = await Bun.file(join(speechFolder, 'long-3-minutes.flac')).bytes()
    await page.evaluate(drop, { base64: Buffer.from(sound).toString('base64'), name: 'long.flac' })
    await isIn(page, 'long.flac', '%')
    expect(page.url()).toEndWith('#/files')
    await until(() => rowOf(page, 'long.flac').getByText('left').isVisible(), WITHIN)
    await rowOf(page, 'long.flac').getByRole('button', { name: 'Cancel' }).click()
    await isIn(page, 'long.flac', 'Cancelled')
    const link = await rowOf(page, 'long.flac').getByRole('link').getAttribute('href')
    const kept = await (await fetch(`${server.url}/captures/${link!.replace('#/captures/', '')}`)).json()
    expect(kept).toMatchObject({ status: 'canceled', audio_available: true, audio_bytes: sound.length })
    expect(faults).toEqual([])
    await close()
  }, 400_000)

  test('uses the language and model that were chosen before, and downloads all texts at once', async () => {
    const { page, faults, close } = await openPage(browser, server.url, { path: '/files' })
    await page.selectOption('.filechoices label:has-text("Language") select', 'en')
    await page.selectOption('.filechoices label:has-text("Model") select', 'base-q5_1')
    const file = (name: string) => recordingFile(name).name!
    await page.setInputFiles('input[type=file]', ['short-02.flac', 'short-03.flac'].map(file))
    await isIn(page, 'short-02.flac', 'Done')
    await isIn(page, 'short-03.flac', 'Done')
    const { items } = await (await fetch(`${server.url}/captures?limit=2&sort=-created_at`)).json()
    for (const one of items) expect(one).toMatchObject({ language: 'en', stt_model: 'base-q5_1' })
    await page.selectOption('select[aria-label="Text format"]', 'Markdown')
    const download = page.waitForEvent('download')
    await page.click('text=Download all of these')
    expect((await download).suggestedFilename()).toMatch(/^captures .*\.zip$/)
    expect(faults).toEqual([])
    await close()
  }, 400_000)

  test('keeps the date of a file', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'dictation-dated-'))
    const path = join(folder, 'old.flac')
    await copyFile(recordingFile('nothing-silence.flac').name!, path)
    await utimes(path, new Date(), new Date('2019-05-01T12:00:00Z'))
    const { page, faults, close } = await openPage(browser, server.url, { path: '/files' })
    await page.setInputFiles('input[type=file]', path)
    await isIn(page, 'old.flac', 'No speech found')
    const link = await rowOf(page, 'old.flac').getByRole('link').getAttribute('href')
    const kept = await (await fetch(`${server.url}/captures/${link!.replace('#/captures/', '')}`)).json()
    expect(kept).toMatchObject({ recorded_at: '2019-05-01T12:00:00.000Z' })
    await page.goto(`${server.url}/${link}`)
    await until(() => page.getByText('2019').first().isVisible(), WITHIN)
    expect(faults).toEqual([])
    await close()
    await rm(folder, { recursive: true })
  }, 400_000)

  test('passes axe in both themes at three widths, and nothing is wider than the screen', async () => {
    const { page, close } = await openPage(browser, server.url, { path: '/files', allowed: [/415/] })
    const name = `${'a-very-long-name-of-a-recording-'.repeat(6)}.wav`
    const files = [{ name, mimeType: 'audio/wav', buffer: Buffer.from('nothing') }]
    await page.setInputFiles('input[type=file]', files)
    await isIn(page, name, 'Failed')
    await expectGoodLooksOf(page)
    await close()
  }, 120_000)
})

/** Runs in the page: drops a file on it. */
function drop({ base64, name }: { base64: string; name: string }) {
  const dataTransfer = new DataTransfer()
  const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
  dataTransfer.items.add(new File([bytes], name, { type: 'audio/flac' }))
  for (const type of ['dragover', 'drop'])
    document.body.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }))
}
