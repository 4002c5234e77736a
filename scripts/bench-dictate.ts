// Holds the key of `dictation dictate` while recordings are spoken, on a desktop of its own, and reports how long after
// the release their text is in the focused window, beside the live socket alone.

import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { type Desktop, hasDesktop, openDesktop } from '../test/support/desktop.ts'
import { startServer } from '../test/support/server.ts'
import { until } from '../test/support/until.ts'
import { writeFigures } from './bench/figures.ts'
import { liveClips } from './bench/live-clips.ts'
import { playLive } from './bench/live-play.ts'
import { lineOf, median, percentile, type Row, seconds } from './bench/table.ts'
import { optionsOrExit } from './options.ts'

const usage = `usage: npm run bench -- dictate [--short]
Dictates a minute of recordings into a terminal under Xvfb with base, and rewrites its section of BENCHMARKS.md;
--short dictates two of them and only prints.`

const values = optionsOrExit({ short: { type: 'boolean' } }, usage)
const MODEL = 'base-q5_1'
/** A modifier, which types nothing: its name for `dictate` and for X11. */
const KEY = { name: 'ControlRight', x11: 'Control_R' }
const LOOK_EVERY_MS = 2

const cli = resolve(import.meta.dir, '../src/cli/main.ts')
const microphone = resolve(import.meta.dir, 'bench/speak.ts')

type Samples = Int16Array<ArrayBuffer>
type Press = { releaseToTextMs: number; socketMs: number }

async function startDictate({ desktop, url, folder }: { desktop: Desktop; url: string; folder: string }) {
  const input = `exec '${process.execPath}' '${microphone}' '${join(folder, 'spoken.pcm')}' '${join(folder, 'spoken')}'`
  const options = ['--json', '--key', KEY.name, '--model', MODEL, '--language', 'en', '--input', input]
  const child = Bun.spawn([process.execPath, cli, 'dictate', ...options], {
    env: { ...desktop.env, DICTATION_DATA_DIR: folder, DICTATION_URL: url },
    stdout: 'pipe',
    stderr: 'inherit',
  })
  let text = ''
  void (async () => {
    for await (const part of child.stdout.pipeThrough(new TextDecoderStream())) text += part
  })()
  const events = () =>
    text
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as { event: string; text?: string; detail?: string })
  const next = (name: string, from: number) =>
    until(
      () => {
        const since = events().slice(from)
        const failed = since.find(({ event }) => event === 'failed' || event === 'no_speech')
        if (failed) throw new Error(JSON.stringify(failed))
        return since.find(({ event }) => event === name)
      },
      { timeoutMs: 60_000, what: () => `${name} after ${JSON.stringify(events().slice(from))}` },
    )
  await next('ready', 0)
  return { next, count: () => events().length, stop: () => child.kill('SIGINT') }
}

/** Waits in small steps, because it measures. */
async function soon(condition: () => boolean): Promise<number> {
  while (!condition()) await Bun.sleep(LOOK_EVERY_MS)
  return performance.now()
}

async function measure(): Promise<Press[]> {
  const folder = await mkdtemp(join(tmpdir(), 'dictation-bench-'))
  const file = (name: string) => join(folder, name)
  await using server = await startServer({ env: { DICTATION_MODEL: MODEL, DICTATION_LOG_LEVEL: 'info' } })
  await using desktop = await openDesktop(folder)
  desktop.start(['xterm', '-e', 'sh', '-c', `stty raw -echo; exec cat > '${file('typed.txt')}'`])
  await desktop.focus('xterm')
  const dictate = await startDictate({ desktop, url: server.url, folder })
  const typedBytes = () => Bun.file(file('typed.txt')).size

  async function press(samples: Samples): Promise<number> {
    await Bun.write(file('spoken.pcm'), samples)
    await rm(file('spoken'), { force: true })
    const before = typedBytes()
    const from = dictate.count()
    await desktop.keyDown(KEY.x11)
    await soon(() => existsSync(file('spoken')))
    const releasedAt = performance.now()
    await desktop.keyUp(KEY.x11)
    const typedAt = await soon(() => typedBytes() > before)
    await dictate.next('inserted', from)
    return typedAt - releasedAt
  }

  async function byTheSocket(samples: Samples): Promise<number> {
    const query = new URLSearchParams({ model: MODEL, language: 'en' })
    const url = `${server.url.replace('http', 'ws')}/transcribe/live?${query}`
    const { messages, stopMs } = await playLive(url, samples)
    const last = messages.findLast(({ message }) => message.type === 'final')
    if (!last) throw new Error('the live socket returned no text')
    return last.atMs - stopMs
  }

  const presses: Press[] = []
  try {
    const [first, ...others] = await liveClips(values.short === true)
    await press(first!.samples)
    for (const { file: name, samples } of values.short ? others : [first!, ...others]) {
      const one = { releaseToTextMs: await press(samples), socketMs: await byTheSocket(samples) }
      const [pressed, alone] = [one.releaseToTextMs, one.socketMs].map(Math.round)
      console.error(`${name}: text ${pressed} ms after the release; the socket alone ${alone} ms`)
      presses.push(one)
    }
  } finally {
    dictate.stop()
    await rm(folder, { recursive: true, force: true })
  }
  return presses
}

async function main(): Promise<number> {
  const hasKeys = existsSync(resolve(import.meta.dir, '../node_modules/uiohook-napi'))
  if (!hasDesktop || !hasKeys) {
    console.log('skipped: no desktop for tests, or uiohook-napi is not installed')
    return 0
  }
  const presses = await measure()
  const pressed = presses.map(({ releaseToTextMs }) => releaseToTextMs)
  const alone = presses.map(({ socketMs }) => socketMs)
  const rows: Row[] = [
    {
      what: 'delay from the release of the key to the text in the window, p50',
      value: seconds(median(pressed)),
      goal: '≤ 0.6 s',
      note: `${presses.length} recordings`,
    },
    {
      what: 'delay from the release of the key to the text in the window, p95',
      value: seconds(percentile(pressed, 0.95)),
    },
    { what: 'the live socket alone, from `stop` to the final text, p50', value: seconds(median(alone)) },
    {
      what: 'what the key, the clipboard and the window add, p50',
      value: seconds(median(presses.map((one) => one.releaseToTextMs - one.socketMs))),
    },
  ]
  for (const row of rows) console.log(lineOf(row))
  if (values.short) return 0
  await writeFigures('Dictation, base', {
    command: 'npm run bench -- dictate',
    how: 'Recordings of `test/speech`, each spoken in real time by a program in place of the microphone while a key is held under Xvfb, and the key released within 2 ms of the last word; the text is there when `cat` in an xterm has written it. Each is then played to `WS /transcribe/live`. A clip ends with the last 20 ms that are less than 30 dB below its loudest.',
    rows,
  })
  return 0
}

process.exit(await main())
