// The examples of docs/clients.md in a real Chromium: live text and upload of what its MediaRecorder produces.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { hasBrowser } from '../support/browser.ts'
import { type MicrophoneBrowser, openMicrophoneBrowser } from '../support/microphone-browser.ts'
import { openPage } from '../support/page.ts'
import type { RunningServer } from '../support/server.ts'
import { recording, wordsApart } from '../support/speech.ts'
import { until } from '../support/until.ts'

const SPOKEN = 'human-1.flac'
/** Of 22 words: on a busy machine the browser's microphone drops some audio. */
const MAX_WRONG = 6
const WITHIN = { timeoutMs: 120_000 }

/** The code blocks, in order. */
async function examples(): Promise<string[]> {
  const document = await Bun.file(join(import.meta.dir, '../../docs/clients.md')).text()
  return [...document.matchAll(/```js\n([\s\S]+?)```/g)].map(([, code]) => code!)
}

describe.skipIf(!hasBrowser)('MediaRecorder in Chromium', () => {
  let server: RunningServer
  let browser: Browser
  let world: MicrophoneBrowser
  beforeAll(async () => {
    world = await openMicrophoneBrowser([SPOKEN], { loop: false })
    ;({ server, browser } = world)
  }, 120_000)
  afterAll(() => world?.[Symbol.asyncDispose]())

  test('streams for live text and uploads as a capture, by the example of docs/clients.md', async () => {
    const { page, faults, close } = await openPage(browser, server.url)
    const printed: string[] = []
    page.on('console', (message) => printed.push(message.text()))
    const [live, recorder] = await examples()
    expect(recorder).toContain('MediaRecorder')
    const code = live!.replace('127.0.0.1:17493', new URL(server.url).host).replace('?', '?keep=true&')
    await page.evaluate(
      `(async () => {\n${code}\n${recorder}\nObject.assign(window, { recorder, finals })\n})()`,
    )
    // On a busy machine the whole sentence may arrive before any live text.
    const heard = async () => [...printed, await page.evaluate('finals.join(" ")')]
    await until(async () => (await heard()).some((line) => /ask what you .*country/i.test(String(line))), {
      ...WITHIN,
      what: () => `the last words, after ${JSON.stringify(printed)}`,
    })
    const before = printed.length
    await page.evaluate('recorder.stop()')
    const text = await until(
      () =>
        printed
          .slice(before)
          .find((line) => !line.includes('[') && wordsApart(line, recording(SPOKEN).reference) <= MAX_WRONG),
      { ...WITHIN, what: () => `all that was said, last of ${JSON.stringify(printed)}` },
    )
    const capture = await until(async () => {
      const { items } = await (await fetch(`${server.url}/captures`)).json()
      return items[0]?.status === 'completed' && items[0]
    }, WITHIN)
    expect(capture).toMatchObject({ source: 'dictation', audio_type: 'audio/webm', error: null })
    expect(wordsApart(capture.text, text)).toBeLessThanOrEqual(MAX_WRONG)
    expect(faults).toEqual([])
    await close()
  }, 300_000)
})
