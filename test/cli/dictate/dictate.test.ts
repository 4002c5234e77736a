// `dictation dictate` on a real desktop: keys from xdotool, text in xterm and in Chromium's textarea, a recording in
// place of the microphone, and the real server.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { testAtLength } from '../../support/at-length.ts'
import { hasBrowser } from '../../support/browser.ts'
import { createTestFolder, type TestFolder } from '../../support/database.ts'
import { type Desktop, hasDesktop, openDesktop } from '../../support/desktop.ts'
import { spokenIn } from '../../support/live.ts'
import { type RunningServer, startServer } from '../../support/server.ts'
import { until } from '../../support/until.ts'

const main = resolve(import.meta.dir, '../../../src/cli/main.ts')
const hasKeys = existsSync(resolve(import.meta.dir, '../../../node_modules/uiohook-napi'))
if (!hasKeys) console.warn('skipped: uiohook-napi is not installed')

/** Events that end a session without its text. */
const WITHOUT_TEXT = ['failed', 'no_speech', 'canceled', 'ignored']
/** The default keys, pressed and released in this order. */
const KEYS = ['Control_R', 'Shift_R']
const HELLO = /hello,? this is a test/i
const INVOICE = /check the invoice/i

// biome-ignore lint/suspicious/noExplicitAny: events of the command, which the expectations inspect
type Event = { event: string; [name: string]: any }

type Dictate = {
  events: Event[]
  errors: () => string
  /** the first event of a name after the first `from` events */
  next(name: string, from: number, timeoutMs?: number): Promise<Event>
  stop(): Promise<number>
}

describe.skipIf(!hasDesktop || !hasBrowser || !hasKeys)('dictate', () => {
  let folder: TestFolder
  let server: RunningServer
  let desktop: Desktop
  let browser: Browser
  let page: Page
  let dictate: Dictate
  const file = (name: string) => join(folder.dataFolder, name)

  beforeAll(async () => {
    folder = await createTestFolder()
    server = await startServer()
    desktop = await openDesktop(folder.dataFolder)
    browser = await desktop.openBrowser()
    page = await browser.newPage()
    await page.setContent('<textarea rows="10" cols="60" autofocus></textarea>')
    desktop.start(['xterm', '-e', 'sh', '-c', `cat > ${file('typed.txt')}`])
    dictate = await startDictate()
  }, 120_000)

  afterAll(async () => {
    await dictate.stop()
    await browser.close()
    await desktop[Symbol.asyncDispose]()
    await server.stop()
    await folder[Symbol.asyncDispose]()
  }, 60_000)

  const cli = (...args: string[]) => [process.execPath, main, ...args]
  const environment = () => ({
    ...desktop.env,
    DICTATION_DATA_DIR: folder.dataFolder,
    DICTATION_URL: server.url,
  })

  async function startDictate(...options: string[]): Promise<Dictate> {
    const microphone = ['--input', `cat ${file('spoken.pcm')}; touch ${file('recorded')}; exec sleep 600`]
    const keys = ['--command-key', 'F9', '--model', 'tiny.en-q5_1']
    const child = Bun.spawn(cli('dictate', '--json', ...keys, ...microphone, ...options), {
      env: environment(),
      stdout: 'pipe',
      stderr: 'pipe',
    })
    const events: Event[] = []
    let errors = ''
    void collect(child.stdout, (line) => events.push(JSON.parse(line)))
    void collect(child.stderr, (line) => {
      errors += `${line}\n`
    })
    const next = (name: string, from: number, timeoutMs = 60_000) =>
      until(
        () => {
          const since = events.slice(from)
          const found = since.find(({ event }) => event === name)
          if (!found && name === 'inserted' && since.some(({ event }) => WITHOUT_TEXT.includes(event)))
            throw new Error(`no text: ${JSON.stringify(since)} ${errors}`)
          return found
        },
        { timeoutMs, what: () => `${name} after ${JSON.stringify(events.slice(from))} ${errors}` },
      )
    await next('ready', 0)
    return {
      events,
      errors: () => errors,
      next,
      async stop() {
        child.kill('SIGINT')
        return child.exited
      },
    }
  }

  /** What the microphone records from now on, at once: the real pace has a test of its own. */
  const speak = async (recording: string) => {
    await Bun.write(file('spoken.pcm'), await spokenIn(recording))
  }

  /** Holds the keys until the session has begun for certain, and the whole recording is spoken. */
  async function hold(recording: string, keys = KEYS, during: () => Promise<void> = async () => {}) {
    await speak(recording)
    const from = dictate.events.length
    await rm(file('recorded'), { force: true })
    await desktop.keyDown(...keys)
    await dictate.next('listening', from)
    const at = performance.now()
    await until(() => performance.now() - at > 400 && existsSync(file('recorded')), { what: 'the recording' })
    await during()
    await desktop.keyUp(...keys.toReversed())
    return from
  }

  const clipboard = () => desktop.run(['xclip', '-selection', 'clipboard', '-o'])
  const copy = (text: string) => desktop.run(['xclip', '-selection', 'clipboard', '-i'], text)
  const written = () => page.inputValue('textarea')
  /** The browser takes the text before it shows it. */
  const shows = async (text: RegExp) => {
    let shown = ''
    const look = async () => {
      shown = await written()
      return text.test(shown)
    }
    await until(look, { what: () => `${text} in "${shown}" ${JSON.stringify(dictate.events.at(-1))}` })
  }
  const clear = async () => {
    await desktop.focus('chromium')
    await page.fill('textarea', '')
    // Moves the focus out of the address bar.
    await page.click('textarea')
  }
  const captureOf = async (id: string) =>
    (await (await fetch(`${server.url}/captures/${id}`)).json()) as Event

  test('the text of each press is in the focused window in order, and the clipboard is as before', async () => {
    await clear()
    await copy('precious')
    const first = await hold('short-01.flac')
    await hold('short-06.flac')
    await shows(/hello,? this is a test.*check the invoice/is)
    await until(() => dictate.events.slice(first).filter(({ event }) => event === 'inserted').length === 2)
    expect(await clipboard()).toBe('precious')
    const inserted = await dictate.next('inserted', first)
    expect(inserted).toMatchObject({ how: 'pasted', app_name: 'Chromium' })
    expect(await captureOf(inserted.capture_id)).toMatchObject({ app_name: 'Chromium', source: 'dictation' })
  }, 120_000)

  test('a terminal receives the text on one line, and both selections are as before', async () => {
    await desktop.focus('xterm')
    await copy('precious')
    await desktop.run(['xclip', '-selection', 'primary', '-i'], 'selected')
    const inserted = await dictate.next('inserted', await hold('short-01.flac'))
    expect(inserted).toMatchObject({ how: 'pasted', app_name: 'XTerm' })
    await desktop.run(['xdotool', 'key', 'Return'])
    const typed = await until(async () => (await Bun.file(file('typed.txt')).text()) || null)
    expect(typed).toMatch(HELLO)
    expect(typed.trimEnd()).not.toContain('\n')
    expect([await clipboard(), await desktop.run(['xclip', '-selection', 'primary', '-o'])]).toEqual([
      'precious',
      'selected',
    ])
  }, 120_000)

  test('Escape cancels: nothing is inserted, and the recording is in the trash', async () => {
    await clear()
    const from = await hold('short-01.flac', KEYS, () =>
      desktop.run(['xdotool', 'key', 'Escape']).then(() => {}),
    )
    const { capture_id } = await dictate.next('canceled', from)
    expect((await captureOf(capture_id)).trashed_at).toBeString()
    expect(await written()).toBe('')
  }, 120_000)

  test('a short press, a repeated key and a second key during a session do no harm', async () => {
    await clear()
    const from = dictate.events.length
    await desktop.run([
      'xdotool',
      'keydown',
      ...KEYS.join(' keydown ').split(' '),
      'keyup',
      'Shift_R',
      'keyup',
      'Control_R',
    ])
    await dictate.next('ignored', from)
    const held = await hold('short-06.flac', KEYS, async () => {
      await desktop.keyDown('F9')
      await desktop.keyUp('F9')
      await desktop.keyDown('Shift_R')
    })
    await dictate.next('inserted', held)
    await shows(INVOICE)
    const ends = dictate.events.slice(from).map(({ event }) => event)
    expect(ends.filter((event) => event === 'ignored' || event === 'inserted')).toEqual([
      'ignored',
      'inserted',
    ])
  }, 120_000)

  test('the second key edits the selected text with a spoken command', async () => {
    await clear()
    await copy('precious')
    await page.fill('textarea', 'It rains. It pours.')
    await page.locator('textarea').selectText()
    const at = performance.now()
    // The key repeats after 660 ms.
    const from = await hold(
      'short-16.flac',
      ['F9'],
      async () => void (await until(() => performance.now() - at > 1500)),
    )
    expect(await dictate.next('command', from)).toMatchObject({ status: 'succeeded' })
    await until(async () => (await written()) === 'It rains.')
    await until(async () => (await clipboard()) === 'precious')
  }, 120_000)

  test('if the focus has moved, the text is in the clipboard instead', async () => {
    await clear()
    await desktop.focus('xterm')
    // Long enough for the focus to move before the text arrives.
    const from = await hold('human-1.flac')
    await dictate.next('stopped', from)
    await desktop.focus('chromium')
    const inserted = await dictate.next('inserted', from)
    expect(inserted.how).toBe('copied')
    expect([await clipboard(), await written()]).toEqual([inserted.text, ''])
    expect(dictate.errors()).toContain('The focus has moved from XTerm to Chromium')
  }, 120_000)

  test('the settings decide whether the text is inserted or only copied', async () => {
    await clear()
    const set = (json: object) =>
      fetch(`${server.url}/settings/captures`, {
        method: 'PATCH',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(json),
      })
    await set({ allow_auto_paste: false })
    const inserted = await dictate
      .next('inserted', await hold('short-06.flac'))
      .finally(() => set({ allow_auto_paste: true }))
    expect([inserted.how, await clipboard(), await written()]).toEqual(['copied', inserted.text, ''])
  }, 120_000)

  test('toggle starts and stops from a shortcut of the desktop', async () => {
    await clear()
    await speak('short-01.flac')
    const from = dictate.events.length
    const toggle = async () => Bun.spawnSync(cli('toggle'), { env: environment() }).stdout.toString()
    await rm(file('recorded'), { force: true })
    expect(await toggle()).toBe('Listening.\n')
    await dictate.next('listening', from)
    const at = performance.now()
    await until(() => performance.now() - at > 400 && existsSync(file('recorded')), { what: 'the recording' })
    expect(await toggle()).toBe('Stopped.\n')
    await dictate.next('inserted', from)
    await shows(HELLO)
  }, 120_000)

  test('if the server dies while the user speaks, the whole recording is stored when it is back', async () => {
    await clear()
    const port = new URL(server.url).port
    const { dataFolder } = server
    const from = await hold('short-01.flac', KEYS, async () => {
      await until(async () => (await readdir(join(dataFolder, 'inbox'))).length > 0)
      await server.kill()
    })
    const { detail } = await dictate.next('failed', from)
    const [unsent] = await readdir(file('unsent'))
    expect(detail).toContain(file(`unsent/${unsent}`))
    server = await startServer({ dataFolder, env: { PORT: port } })
    const stored = await dictate.next('stored', from)
    expect(stored.text).toMatch(HELLO)
    expect(await captureOf(stored.capture_id)).toMatchObject({ app_name: 'Chromium', status: 'completed' })
    expect([await readdir(file('unsent')), await written()]).toEqual([[], ''])
  }, 180_000)

  testAtLength(
    'a key held for a minute',
    async () => {
      await clear()
      const from = await hold('long-3-minutes.flac', KEYS, async () => {
        const at = performance.now()
        await until(() => performance.now() - at > 60_000, { timeoutMs: 70_000 })
      })
      // Three minutes of speech, which a busy machine transcribes in more than one.
      const { text } = await dictate.next('inserted', from, 150_000)
      expect(text.split(' ').length).toBeGreaterThan(100)
      await until(async () => (await written()) === text)
    },
    290_000,
  )
})

async function collect(stream: ReadableStream<Uint8Array>, take: (line: string) => void): Promise<void> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const bytes of stream) {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split('\n')
    rest = lines.pop()!
    for (const line of lines) take(line)
  }
}
