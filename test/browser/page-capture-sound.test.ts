// Audio that no browser plays, or that it plays with a different timing than the transcription: the server converts it
// to WAV, and the player seeks in that.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Browser } from 'playwright-core'
import { hasBrowser, openBrowser } from '../support/browser.ts'
import { openPage, watchPage } from '../support/page.ts'
import { type RunningServer, startServer } from '../support/server.ts'
import { recordingFile } from '../support/speech.ts'
import { until } from '../support/until.ts'

const PATIENCE = { timeoutMs: 60_000 }
const MINUTES = 12

/** Sun's .au format, 8 kHz: a tone, which contains no speech. */
function tone(): Blob {
  const samples = MINUTES * 60 * 8000
  const bytes = Buffer.alloc(24 + samples)
  bytes.write('.snd', 0)
  for (const [index, value] of [24, samples, 2, 8000, 1].entries()) bytes.writeUInt32BE(value, 4 + 4 * index)
  for (let at = 0; at < samples; at++) bytes.writeInt8(at % 16 < 8 ? 12 : -12, 24 + at)
  return new Blob([bytes])
}

describe.skipIf(!hasBrowser)('a recording that no browser plays', () => {
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

  async function keep(file: Blob, name: string): Promise<string> {
    const body = new FormData()
    body.set('source', 'file')
    body.set('file', file, name)
    const made = await fetch(`${server.url}/captures?wait=true`, { method: 'POST', body })
    expect(made.status).toBe(201)
    return (await made.json()).id
  }

  test('seeks near its end, fetches only the rest, and plays from there', async () => {
    const id = await keep(tone(), 'tone.au')
    const { page, faults, close } = await openPage(browser, server.url, { path: `/captures/${id}` })
    page.setDefaultTimeout(PATIENCE.timeoutMs)
    const starts: number[] = []
    page.on('response', (response) => {
      if (!response.url().endsWith('/audio?format=wav')) return
      expect(response.status()).toBe(206)
      starts.push(Number(/^bytes (\d+)-/.exec(response.headers()['content-range']!)![1]))
    })
    await page.waitForSelector('.waveform path[d^=M]', { state: 'attached' })
    await page.reload()
    await page.waitForSelector('.waveform path[d^=M]', { state: 'attached' })
    await until(() => starts.length > 0, PATIENCE)
    const last = (MINUTES - 1) * 60
    await page.focus('.player input[type=range]')
    await page.fill('.player input[type=range]', String(last))
    await page.click('.player [aria-label=Play]')
    await page.waitForSelector('.player [aria-label=Pause]')
    await until(
      async () => (await page.textContent('.player .place'))!.startsWith(`${MINUTES - 1}:01`),
      PATIENCE,
    )
    await page.click('.player [aria-label=Pause]')
    expect(starts[0]).toBe(0)
    expect(starts.at(-1)).toBeGreaterThan((last - 60) * 32_000)
    expect(faults).toEqual([])
    await close()
  }, 180_000)

  test.each(['timestamps/gap-of-17s.webm', 'tracks/silent-first.mp4'])(
    'switches to the decoded audio: %s',
    async (file) => {
      const id = await keep(recordingFile(file), 'said')
      const { page, faults, close } = await openPage(browser, server.url, { path: `/captures/${id}` })
      page.setDefaultTimeout(PATIENCE.timeoutMs)
      let decoded = false
      page.on('response', (response) => {
        decoded ||= response.url().endsWith('/audio?format=wav')
      })
      await until(() => decoded, PATIENCE)
      const { duration_ms } = await (await fetch(`${server.url}/captures/${id}`)).json()
      // Into the gap, if there is one, so that playback passes through it.
      const place = Math.floor(duration_ms / 2000)
      await page.fill('.player input[type=range]', String(place))
      await page.click('.player [aria-label=Play]')
      await until(
        async () =>
          (await page.textContent('.player .place'))!.startsWith(`0:${String(place + 1).padStart(2, '0')}`),
        PATIENCE,
      )
      expect(faults).toEqual([])
      await close()
    },
    90_000,
  )

  test.each([
    ['timestamps/gap-of-17s.webm', 20],
    ['tracks/silent-first.mp4', 0],
  ])(
    'is played from the list as it was transcribed, where words of it are searched for: %s',
    async (file, hole) => {
      const id = await keep(recordingFile(file), 'said')
      const { segments } = await (await fetch(`${server.url}/captures/${id}`)).json()
      const { word, start } = segments
        .flatMap(({ words }: { words: { word: string; start: number }[] }) => words)
        .findLast(
          ({ word, start }: { word: string; start: number }) => start > hole && word.trim().length > 4,
        )
      const q = word.replaceAll(/[^a-z]/gi, '')
      for (const [query, from] of [
        ['', 0],
        [`?q=${q}`, start],
      ] as const) {
        const { page, faults, close } = await openPage(browser, server.url, {
          path: `/captures${query}`,
          script: noteSounds,
        })
        page.setDefaultTimeout(PATIENCE.timeoutMs)
        // The original file has been playing for a while when the page learns that it must not.
        if (from === 0)
          await page.route('**/waveform?*', async (route) => {
            await until(() => page.evaluate<boolean>('playedSeconds() > 0.6'), PATIENCE)
            await route.continue()
          })
        await page.focus(`.capturerow .open[href*="${id}"]`)
        await page.keyboard.press(' ')
        const decoded = `/captures/${id}/audio?format=wav`
        const heard = () => page.evaluate<[string, number] | null>('lastSound()')
        await until(async () => (await heard())?.[0].endsWith(decoded), PATIENCE)
        expect((await heard())![1]).toBeCloseTo(from, 0)
        if (from > 0) await page.waitForSelector('.capturerow button[title=Pause]', { state: 'detached' })
        expect(faults).toEqual([])
        await close()
      }
    },
    120_000,
  )

  test('plays the original file if an earlier version transcribed it without its gap', async () => {
    const id = await keep(recordingFile('timestamps/gap-of-17s.webm'), 'said')
    const page = await browser.newPage()
    await page.route(`**/captures/${id}`, async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, json: { ...(await response.json()), duration_ms: 9000 } })
    })
    const { faults } = await watchPage(page, server.url, { path: `/captures/${id}` })
    page.setDefaultTimeout(PATIENCE.timeoutMs)
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    await page.waitForSelector('.waveform path[d^=M]', { state: 'attached' })
    await page.click('.player [aria-label=Play]')
    await until(async () => (await page.textContent('.player .place'))!.startsWith('0:02'), PATIENCE)
    expect(asked.filter((url) => url.endsWith('format=wav'))).toEqual([])
    expect(faults).toEqual([])
    await page.close()
  }, 120_000)

  test('has a duration and is seekable before its waveform was requested', async () => {
    const id = await keep(recordingFile('formats/aiff.aiff'), 'short.aiff')
    const { page, faults, close } = await openPage(browser, server.url)
    const told = await page.evaluate(`new Promise((resolve, reject) => {
      const sound = new Audio('/captures/${id}/audio?format=wav')
      sound.onerror = () => reject(new Error(sound.error.message))
      sound.onloadedmetadata = () => { sound.currentTime = 2 }
      sound.onseeked = () => resolve([sound.duration, sound.seekable.end(0), sound.currentTime])
    })`)
    const { duration_ms } = await (await fetch(`${server.url}/captures/${id}`)).json()
    const [duration, seekable, time] = told as number[]
    expect(duration).toBeCloseTo(duration_ms / 1000, 2)
    expect([seekable, time]).toEqual([duration!, 2])
    expect(faults).toEqual([])
    await close()
  }, 180_000)
})

/** Runs in the page: the latest audio that was played, and its start time. */
const noteSounds = `
  const play = HTMLMediaElement.prototype.play
  let last = null
  let audio = null
  HTMLMediaElement.prototype.play = function () {
    audio = this
    last = [this.src, this.currentTime]
    return play.call(this)
  }
  window.lastSound = () => last
  window.playedSeconds = () => audio?.currentTime ?? 0
`
