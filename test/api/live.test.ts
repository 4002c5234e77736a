// WS /transcribe/live against the real server with real speech: messages, finals, the guard, and misbehaving clients.
// Pauses and slow readers are in test/http/transcribe/live/live-session.test.ts.

import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { childrenOf, roleOf } from '../support/children.ts'
import { createTestFolder, type TestFolder } from '../support/database.ts'
import { recordingsIn } from '../support/inbox.ts'
import {
  asFloats,
  handshake,
  type LiveClient,
  oneAfterAnother,
  openLive,
  resampled,
  silenceOf,
  spokenIn,
} from '../support/live.ts'
import { type RunningServer, startServer } from '../support/server.ts'
import { recordingFile } from '../support/speech.ts'
import { until } from '../support/until.ts'
import { wavHeader, wavOf } from '../support/wav.ts'

/** Generous, for a busy machine. */
setDefaultTimeout(240_000)

const RATE = 16_000
/** Longer than the audio that is transcribed together with the audio after it. */
const PIECE = 1.5 * RATE
const TOKEN = 'a-token-of-more-than-sixteen-letters'
const [server, locked] = await Promise.all([startServer(), startServer({ env: { DICTATION_TOKEN: TOKEN } })])
afterAll(async () => {
  for (const one of [server, locked]) {
    expect(one.log().filter((entry) => ['error', 'fatal'].includes(String(entry.level)))).toEqual([])
    expect(await one.stop()).toBe(0)
  }
})

const english = { query: { language: 'en' } }
const report = await spokenIn('short-03.flac')

const formatFile = (name: string) => recordingFile(`formats/${name}`).bytes()

async function transcribed(wav: Blob): Promise<string> {
  const form = new FormData()
  form.append('file', wav, 'said.wav')
  form.append('language', 'en')
  const response = await fetch(`${server.url}/transcribe`, { method: 'POST', body: form })
  const { text } = (await response.json()) as { text: string }
  expect(text).toMatch(/\w/)
  return text
}

async function liveSessions(): Promise<number> {
  const text = await (await fetch(`${server.url}/metrics`)).text()
  return Number(/^dictation_live_sessions (\d+)$/m.exec(text)?.[1] ?? Number.NaN)
}

const untilNoSessions = () =>
  until(async () => (await liveSessions()) === 0, { timeoutMs: 60_000, what: 'all streams to be over' })

describe('speech', () => {
  test('is reported word by word, and the final equals POST /transcribe', async () => {
    const live = await openLive(server.url, english)
    expect(await live.first('ready')).toEqual({
      type: 'ready',
      model: 'tiny.en-q5_1',
      language: 'en',
      rate: RATE,
    })
    live.send(report.subarray(0, 2 * RATE))
    expect((await live.first('speech_started')).utterance).toBe(1)
    await live.first('partial')
    // Two passes must agree before words are confirmed, so nothing is confirmed before the rest is sent.
    expect(live.of('confirmed')).toEqual([])
    live.send(report.subarray(2 * RATE, 3 * RATE))
    await live.first('confirmed')
    live.send(report.subarray(3 * RATE))
    live.stop()
    expect(await live.closed).toEqual({ code: 1000, reason: '' })

    const [final, ...others] = live.of('final')
    expect(others).toEqual([])
    expect(final!.text).toBe(await transcribed(wavOf(asFloats(report))))
    expect([final!.utterance, final!.start, final!.end]).toEqual([1, 0, 3.379])
    expect(live.messages.at(-1)).toBe(final!)
    expect(live.of('speech_stopped')).toHaveLength(1)
    expect(final!.segments.map(({ text }: { text: string }) => text.trim()).join(' ')).toBe(final!.text)
  })

  test('is confirmed once and permanently; later words continue after the earlier ones', async () => {
    const live = await openLive(server.url, english)
    const said = await spokenIn('human-2.flac')
    const words = () => live.of('partial').length + live.of('confirmed').length
    // Waits for a message about each piece before sending the next.
    for (let at = 0; at < said.length; at += PIECE) {
      const before = words()
      live.send(said.subarray(at, at + PIECE))
      await until(() => words() > before, { timeoutMs: 60_000, what: () => `words at ${at / RATE} s` })
    }
    live.stop()
    await live.closed
    const confirmed = live.of('confirmed')
    expect(confirmed.length).toBeGreaterThan(1)
    for (const utterance of live.of('final').map((one) => one.utterance)) {
      const own = confirmed.filter((one) => one.utterance === utterance)
      for (const [index, { start, end }] of own.entries()) {
        expect(start).toBeGreaterThanOrEqual(own[index - 1]?.end ?? 0)
        expect(end).toBeGreaterThanOrEqual(start)
      }
      expect(own.map(({ text }) => text).join('')).not.toMatch(/^\s|\s\s|\S[.,?!]\p{L}/u)
    }
    // Confirmed words of an utterance arrive before its final, never after it.
    const order = live.messages.filter(({ type }) => ['confirmed', 'partial', 'final'].includes(type))
    expect(order.map(({ utterance }) => utterance)).toEqual(
      order.map(({ utterance }) => utterance).toSorted((a, b) => a - b),
    )
  })

  test('is split into utterances at pauses, each equal to POST /transcribe for that audio', async () => {
    const said = oneAfterAnother(
      report,
      silenceOf(4),
      await spokenIn('short-09.flac'),
      silenceOf(1.5),
      await spokenIn('short-05.flac'),
    )
    const live = await openLive(server.url, english)
    // All at once, far faster than real time.
    live.send(said)
    live.stop()
    expect((await live.closed).code).toBe(1000)
    const finals = live.of('final')
    expect(finals.map(({ utterance }) => utterance)).toEqual([1, 2, 3])
    for (const { text, start, end } of finals) {
      const own = said.subarray(Math.round(start * RATE), Math.round(end * RATE))
      expect(await transcribed(wavOf(asFloats(own)))).toBe(text)
    }
    const started = live.of('speech_started').map(({ time }) => time)
    const stopped = live.of('speech_stopped').map(({ time }) => time)
    expect([...started, ...stopped].toSorted((a, b) => a - b)).toEqual(
      started.flatMap((time, index) => [time, stopped[index]]),
    )
    const times = finals.flatMap(({ segments }) =>
      segments.flatMap((one: { start: number; end: number }) => [one.start, one.end]),
    )
    expect(times).toEqual(times.toSorted((a, b) => a - b))
  })

  test('ends an utterance after the requested silence', async () => {
    const said = oneAfterAnother(report, silenceOf(0.6), await spokenIn('short-09.flac'))
    for (const [silence, utterances] of [
      ['300', [1, 2]],
      ['2000', [1]],
    ] as const) {
      const live = await openLive(server.url, { query: { language: 'en', silence_ms: silence } })
      live.send(said)
      live.stop()
      await live.closed
      expect(live.of('final').map(({ utterance }) => utterance)).toEqual([...utterances])
      for (const { text, start, end } of live.of('final')) {
        const own = said.subarray(Math.round(start * RATE), Math.round(end * RATE))
        expect(await transcribed(wavOf(asFloats(own)))).toBe(text)
      }
    }
  })

  test('is transcribed without unavailable options, which a warning reports first', async () => {
    const prompt = 'Please send the report to Michael. '.repeat(40).trim()
    const live = await openLive(server.url, { query: { language: 'en', prompt } })
    const warning = await live.first('warning')
    expect(warning.code).toBe('prompt_shortened')
    live.send(report)
    live.stop()
    await live.closed
    expect(live.of('warning')).toEqual([warning])
    expect(live.of('final')).toHaveLength(1)
  })

  test('may have another sample rate, as a file may', async () => {
    const rate = 44_100
    const samples = resampled(report, rate)
    const live = await openLive(server.url, { query: { language: 'en', rate: String(rate) } })
    for (let at = 0; at < samples.length; at += 4410) live.send(samples.subarray(at, at + 4410))
    live.stop()
    await live.closed
    const wav = new Blob([wavHeader({ dataBytes: samples.byteLength, rate, channels: 1 }), samples])
    expect(live.of('final').map(({ text }) => text)).toEqual([await transcribed(wav)])
  })

  test.each(['webm-opus-live.webm', 'ogg-opus.opus'])(
    'may be Opus as MediaRecorder packs it, cut anywhere: %s',
    async (name) => {
      const bytes = await formatFile(name)
      const live = await openLive(server.url, english)
      // Ogg pages contain a second each.
      const most = Math.floor(bytes.length * 0.8)
      for (let at = 0; at < most; at += 700) live.send(bytes.subarray(at, Math.min(most, at + 700)))
      await live.first('speech_started')
      live.send(bytes.subarray(most))
      live.stop()
      expect((await live.closed).code).toBe(1000)
      expect(live.of('final').map(({ text }) => text)).toEqual([await transcribed(new Blob([bytes]))])
    },
  )

  test('returns nothing for silence', async () => {
    const live = await openLive(server.url, english)
    live.send(await spokenIn('nothing-hum.flac'))
    live.stop()
    expect((await live.closed).code).toBe(1000)
    expect(live.messages.map(({ type }) => type)).toEqual(['ready'])
  })

  test('is transcribed by the example in docs/clients.md', async () => {
    const document = await Bun.file(join(import.meta.dir, '../../docs/clients.md')).text()
    const [, example = ''] = /```js\n([\s\S]+?)```/.exec(document) ?? []
    const printed: string[] = []
    const print = (...words: string[]) => printed.push(words.join(' '))
    expect(example).toContain('127.0.0.1:17493')
    const { host } = new URL(server.url)
    const live = new Function('console', `${example.replace('127.0.0.1:17493', host)}; return live`)({
      log: print,
      error: print,
    }) as WebSocket
    const over = new Promise((resolve) => live.addEventListener('close', resolve))
    await new Promise((resolve) => live.addEventListener('open', resolve))
    live.send(report)
    live.send(JSON.stringify({ type: 'stop' }))
    await over
    expect(printed.at(-1)).toBe(await transcribed(wavOf(asFloats(report))))
  })

  test('gets dictionary and writing style in the final, but not earlier', async () => {
    const post = async (path: string, body: object) => {
      const response = await fetch(`${server.url}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
      expect(response.status, path).toBeLessThan(300)
      return (await response.json()) as { id: string }
    }
    const entry = await post('/dictionary', { word: 'report', replacement: 'dossier' })
    const style = await post('/writing-styles', {
      name: 'Small',
      rules: { capitalize: 'lower', trailing_period: 'strip' },
    })
    const live = await openLive(server.url, { query: { language: 'en', writing_style_id: style.id } })
    live.send(report.subarray(0, 2 * RATE))
    await live.first('partial')
    live.send(report.subarray(2 * RATE))
    await live.first('confirmed', ({ text }) => /report/.test(text))
    live.stop()
    await live.closed
    const [final] = live.of('final')
    expect(final!.text).toContain('dossier')
    expect(final!.writing_style_id).toBe(style.id)
    expect(final!.refined_text).toBe(final!.text.toLowerCase().replace(/\.$/, ''))
    await fetch(`${server.url}/dictionary/${entry.id}`, { method: 'DELETE' })
  })
})

type Capture = {
  id: string
  status: string
  transcript_raw: string
  recorded_at: string
  error: { code: string } | null
}
const keeping = { query: { language: 'en', keep: 'true' } }
const capturesOf = async (url: string) =>
  ((await (await fetch(`${url}/captures`)).json()) as { items: Capture[] }).items
const samplesKept = async (url: string, { id }: Capture) => {
  const file = await (await fetch(`${url}/captures/${id}/audio`)).bytes()
  return new Int16Array(file.slice(44).buffer)
}

describe('keep=true', () => {
  const patience = { timeoutMs: 60_000 }
  const remove = async (id: string) => {
    await until(async () => {
      const capture = (await (await fetch(`${server.url}/captures/${id}`)).json()) as Capture
      return capture.status === 'completed'
    }, patience)
    const removed = await fetch(`${server.url}/captures/${id}`, { method: 'DELETE' })
    expect(removed.ok).toBe(true)
  }

  test('creates a capture, reported after the last final', async () => {
    const live = await openLive(server.url, keeping)
    for (let at = 0; at < report.length; at += PIECE) live.send(report.subarray(at, at + PIECE))
    await live.first('speech_started')
    const startedAt = Date.now()
    live.stop()
    expect((await live.closed).code).toBe(1000)
    expect(live.messages.slice(-2).map(({ type }) => type)).toEqual(['final', 'kept'])
    const id = live.messages.at(-1)!.capture_id
    const done = await until(async () => {
      const capture = (await (await fetch(`${server.url}/captures/${id}`)).json()) as Capture
      return capture.status === 'completed' ? capture : null
    }, patience)
    expect([done.transcript_raw, done.error]).toEqual([live.of('final')[0]!.text, null])
    expect(Date.parse(done.recorded_at)).toBeLessThan(startedAt)
    expect(await samplesKept(server.url, done)).toEqual(report)
    await fetch(`${server.url}/captures/${id}`, { method: 'DELETE' })
  })

  test.each([
    ['webm-opus-live.webm', 'audio/webm'],
    ['ogg-opus.opus', 'audio/ogg'],
  ])('stores the file of MediaRecorder byte for byte: %s', async (name, type) => {
    const bytes = await formatFile(name)
    const live = await openLive(server.url, { query: { ...keeping.query, encoding: 'opus' } })
    for (let at = 0; at < bytes.length; at += 1000) live.send(bytes.subarray(at, at + 1000))
    live.stop()
    await live.closed
    const id = (await live.first('kept')).capture_id
    const kept = await fetch(`${server.url}/captures/${id}/audio`)
    expect(kept.headers.get('content-type')).toBe(type)
    expect(await kept.bytes()).toEqual(bytes)
    await remove(id)
  })

  test('keeps the audio before damaged Opus, and sends its final', async () => {
    const bytes = await formatFile('webm-opus-live.webm')
    const live = await openLive(server.url, keeping)
    live.send(bytes)
    live.send(new Uint8Array(64))
    expect((await live.closed).code).toBe(1003)
    expect(live.messages.slice(-3).map(({ type, code }) => code ?? type)).toEqual([
      'final',
      'kept',
      'undecodable_audio',
    ])
    const id = live.of('kept')[0]!.capture_id
    const kept = await (await fetch(`${server.url}/captures/${id}/audio`)).bytes()
    expect(kept.subarray(0, bytes.length)).toEqual(bytes)
    await remove(id)
  })

  test('creates no capture without audio or without keep=true', async () => {
    const silent = await openLive(server.url, keeping)
    silent.stop()
    await silent.closed
    const forgotten = await openLive(server.url, english)
    forgotten.send(report)
    forgotten.stop()
    await forgotten.closed
    expect([...silent.of('kept'), ...forgotten.of('kept')]).toEqual([])
    expect(await capturesOf(server.url)).toEqual([])
  })

  test('gives the same result if frames are split inside samples', async () => {
    const bytes = new Uint8Array(report.buffer, report.byteOffset, report.byteLength)
    const texts: string[] = []
    for (const frameBytes of [1000, 1001]) {
      const live = await openLive(server.url, keeping)
      for (let at = 0; at < bytes.length; at += frameBytes) live.send(bytes.slice(at, at + frameBytes))
      live.stop()
      expect((await live.closed).code).toBe(1000)
      texts.push(
        live
          .of('final')
          .map(({ text }) => text)
          .join(' '),
      )
      const [capture] = await capturesOf(server.url)
      expect(await samplesKept(server.url, capture!)).toEqual(report)
      await remove(capture!.id)
    }
    expect(texts[1]).toMatch(/\w/)
    expect(texts[1]).toBe(texts[0]!)
  })

  test('keeps the recording if the client disconnects or sends invalid audio', async () => {
    for (const leave of [
      (live: LiveClient) => live.terminate(),
      (live: LiveClient) => live.send(new Uint8Array(1024 ** 2 + 2)),
    ]) {
      const live = await openLive(server.url, keeping)
      live.send(report)
      await live.first('speech_started')
      leave(live)
      const [capture] = await until(async () => {
        const all = await capturesOf(server.url)
        return all.length > 0 ? all : null
      }, patience)
      expect(await samplesKept(server.url, capture!)).toEqual(report)
      expect(capture!.error?.code).toBe('upload_interrupted')
      await remove(capture!.id)
    }
  })
})

describe('a server that ends', () => {
  let folder: TestFolder
  let ending: RunningServer
  const patience = { timeoutMs: 60_000 }
  const start = () =>
    startServer({
      dataFolder: folder.dataFolder,
      env: {
        ...(folder.databaseUrl !== null && { DATABASE_URL: folder.databaseUrl }),
        DICTATION_STOP_SECONDS: '120',
      },
    })
  beforeAll(async () => {
    folder = await createTestFolder()
    ending = await start()
  })
  afterAll(async () => {
    expect(await ending.stop()).toBe(0)
    await folder[Symbol.asyncDispose]()
  })

  /** Starts again, and returns the captures that are new since `before`. */
  async function capturesAfterStart(before: readonly Capture[]): Promise<Capture[]> {
    ending = await start()
    const known = before.map(({ id }) => id)
    return (await capturesOf(ending.url)).filter(({ id }) => !known.includes(id))
  }
  /** Waits until a recording of at least that size is in the inbox. */
  const received = (bytes: number) =>
    until(async () => {
      for (const name of await recordingsIn(folder.dataFolder))
        if ((await stat(join(folder.dataFolder, 'inbox', name))).size >= bytes) return true
      return false
    }, patience)

  test('keeps recordings that a kill interrupts, of samples and of Opus', async () => {
    const bytes = await formatFile('webm-opus-live.webm')
    const opus = await openLive(ending.url, keeping)
    opus.send(bytes)
    await received(bytes.length)
    const live = await openLive(ending.url, keeping)
    live.send(report)
    await received(report.byteLength + 44)
    await ending.kill()
    const captures = await capturesAfterStart([])
    const files = await Promise.all(
      captures.map(async ({ id }) => (await fetch(`${ending.url}/captures/${id}/audio`)).bytes()),
    )
    files.sort((a, b) => a.length - b.length)
    expect(files).toHaveLength(2)
    expect(files[0]).toEqual(bytes)
    expect(new Int16Array(files[1]!.slice(44).buffer)).toEqual(report)
  })

  test.skipIf(process.platform !== 'linux')(
    'stores the complete capture with its fields before the text is finished',
    async () => {
      const before = await capturesOf(ending.url)
      const query = { ...keeping.query, app_name: 'Notes' }
      const live = await openLive(ending.url, { query })
      await live.first('ready')
      const committed = () => ending.log().filter(({ phase }) => phase === 'committed').length
      const already = committed()
      // No more text is written.
      const engines = childrenOf(ending.pid).filter((pid) => roleOf(pid) === 'engine')
      for (const pid of engines) process.kill(pid, 'SIGSTOP')
      live.send(report)
      live.stop()
      await until(() => committed() > already, patience)
      expect([...live.of('final'), ...live.of('kept')]).toEqual([])
      await ending.kill()
      for (const pid of engines) process.kill(pid, 'SIGKILL')
      const [capture, ...others] = await capturesAfterStart(before)
      expect(others).toEqual([])
      expect(capture).toMatchObject({
        error: null,
        source: 'dictation',
        app_name: 'Notes',
        audio_available: true,
      })
      expect(await samplesKept(ending.url, capture!)).toEqual(report)
    },
  )

  test('sends the remaining text when it is stopped, and keeps the recording', async () => {
    // The engine has eight seconds for the remaining text, so it must not be busy or cold.
    const isOver = ({ status }: Capture) => ['completed', 'failed'].includes(status)
    await until(async () => (await capturesOf(ending.url)).every(isOver), {
      what: 'the captures to be completed',
    })
    const before = await capturesOf(ending.url)
    const live = await openLive(ending.url, keeping)
    live.send(report)
    await live.first('partial')
    const stopped = ending.stop()
    expect((await live.closed).code).toBe(1001)
    expect(live.of('final').map(({ text }) => text)).toEqual([await transcribed(wavOf(asFloats(report)))])
    expect(await stopped).toBe(0)
    const [capture, ...others] = await capturesAfterStart(before)
    expect(others).toEqual([])
    expect(await samplesKept(ending.url, capture!)).toEqual(report)
  })
})

describe('the guard', () => {
  const codeOf = ({ body }: { body: string }) => (JSON.parse(body) as { code: string }).code

  test('refuses pages of other origins, other hosts and other sites before a socket opens', async () => {
    const { port } = new URL(server.url)
    for (const [headers, code] of [
      [{ origin: 'http://evil.test' }, 'origin_not_allowed'],
      [{ origin: 'null' }, 'origin_not_allowed'],
      [{ origin: `https://127.0.0.1:${port}` }, 'origin_not_allowed'],
      [{ host: `evil.test:${port}` }, 'host_not_allowed'],
      [{ 'sec-fetch-site': 'cross-site' }, 'cross_site'],
    ] as const) {
      const answer = await handshake(server.url, { headers })
      expect([answer.status, codeOf(answer)], JSON.stringify(headers)).toEqual([403, code])
      expect(answer.head).not.toMatch(/^sec-websocket-accept/im)
    }
    const own = await handshake(server.url, { headers: { origin: `http://127.0.0.1:${port}` } })
    expect(own.status).toBe(101)
  })

  test('requires the token, or a session opened with it, in a header', async () => {
    expect(codeOf(await handshake(locked.url))).toBe('unauthorized')
    expect((await handshake(locked.url, { headers: { authorization: 'Bearer wrong' } })).status).toBe(401)
    expect((await handshake(locked.url, { headers: { authorization: `Bearer ${TOKEN}` } })).status).toBe(101)
    const session = await fetch(`${locked.url}/session`, {
      method: 'POST',
      headers: { authorization: `Bearer ${TOKEN}` },
    })
    const { session: secret } = (await session.json()) as { session: string }
    const headers = { authorization: `Bearer ${secret}` }
    expect((await handshake(locked.url, { headers })).status).toBe(101)
  })

  test('refuses an invalid query, as POST /transcribe does', async () => {
    for (const [query, code] of [
      ['rate=1', 'invalid_request'],
      ['model=nonexistent', 'unknown_model'],
      ['model=tiny.en&language=de', 'unsupported_language'],
      [`writing_style_id=${crypto.randomUUID()}`, 'invalid_request'],
      ['keep=perhaps', 'invalid_request'],
      ['encoding=mp3', 'invalid_request'],
      ['silence_ms=199', 'invalid_request'],
      ['silence_ms=5001', 'invalid_request'],
    ] as const) {
      const answer = await handshake(server.url, { path: `/transcribe/live?${query}` })
      expect([answer.status, codeOf(answer)], query).toEqual([422, code])
    }
    expect((await fetch(`${server.url}/transcribe/live`)).status).toBe(426)
  })
})

describe('frames', () => {
  const wrong: Record<string, [frame: string | Uint8Array<ArrayBuffer>, code: string, closed: number]> = {
    'more than a megabyte': [new Uint8Array(1024 ** 2 + 2), 'body_too_large', 1009],
    'a file': [
      new Uint8Array(wavHeader({ dataBytes: 2, rate: RATE, channels: 1 })),
      'unsupported_audio',
      1003,
    ],
    'an mp4, as another recorder gives it': [
      new Uint8Array(Buffer.from('\0\0\0\x18ftypmp42')),
      'unsupported_audio',
      1003,
    ],
    'text that is no JSON': ['stop', 'invalid_request', 1003],
    'a message that there is not': ['{"type":"begin"}', 'invalid_request', 1003],
    'JSON that is no object': ['null', 'invalid_request', 1003],
  }
  test.each(Object.entries(wrong))('refuses %s and reports it', async (_, [frame, code, closed]) => {
    const live = await openLive(server.url, english)
    live.send(frame)
    expect((await live.closed).code).toBe(closed)
    const error = live.messages.at(-1)!
    expect([error.type, error.code]).toEqual(['error', code])
    expect(error.detail).toMatch(/\.$/)
  })

  test('refuses an invalid frame after the final of the earlier audio', async () => {
    for (const [frame, code] of [
      [new Uint8Array(1024 ** 2 + 2), 'body_too_large'],
      ['what is this?', 'invalid_request'],
    ] as const) {
      const live = await openLive(server.url, english)
      live.send(report)
      live.send(frame)
      await live.closed
      expect(
        live
          .of('final')
          .map(({ text }) => text)
          .join(' '),
      ).toMatch(/\w/)
      expect(live.messages.at(-1)).toMatchObject({ type: 'error', code })
    }
  })

  test('refuses an encoding other than announced, and audio that is not Opus', async () => {
    const [webm, vorbis] = [await formatFile('webm-opus-live.webm'), await formatFile('ogg-vorbis.ogg')]
    for (const [encoding, sent, code] of [
      ['opus', report, 'unsupported_audio'],
      ['pcm_s16le', webm.subarray(0, 1000), 'unsupported_audio'],
      ['opus', vorbis, 'unsupported_audio'],
      ['opus', webm.subarray(0, 40), 'undecodable_audio'],
    ] as const) {
      const live = await openLive(server.url, { query: { language: 'en', encoding } })
      live.send(sent)
      live.stop()
      expect((await live.closed).code).toBe(1003)
      expect(live.messages.slice(1).map(({ type, code: reported }) => [type, reported])).toEqual([
        ['error', code],
      ])
    }
  })

  test('refuses frames after the end', async () => {
    const live = await openLive(server.url, english)
    live.send(report)
    live.stop()
    live.send(report)
    expect((await live.closed).code).toBe(1008)
    expect(live.messages.slice(-2).map(({ type, code }) => code ?? type)).toEqual(['final', 'stream_ended'])
  })

  test('refuses more audio than may wait', async () => {
    const live = await openLive(server.url, english)
    const frame = new Int16Array(500_000)
    // Four times the limit, so that it does not matter how much was transcribed meanwhile.
    for (let sent = 0; sent < 2400 * RATE; sent += frame.length) live.send(frame)
    expect((await live.closed).code).toBe(1013)
    expect(live.messages.at(-1)).toMatchObject({ type: 'error', code: 'too_far_behind' })
  })
})

describe('sessions', () => {
  test('are limited to ten; the next gets Retry-After, and a place when one ends', async () => {
    await untilNoSessions()
    const clients = await Promise.all(Array.from({ length: 10 }, () => openLive(server.url, english)))
    expect(await liveSessions()).toBe(10)
    const refused = await handshake(server.url)
    expect([refused.status, JSON.parse(refused.body).code]).toEqual([429, 'queue_full'])
    expect(refused.head).toMatch(/^retry-after: \d+\r?$/im)
    for (const client of clients) client.stop()
    for (const client of clients) expect((await client.closed).code).toBe(1000)
    await untilNoSessions()
    expect((await handshake(server.url)).status).toBe(101)
  })

  test('leave nothing behind when the connection breaks', async () => {
    await untilNoSessions()
    const broken = async (_: unknown, index: number) => {
      const live = await openLive(server.url, english)
      live.send(report.subarray(0, 2 * RATE))
      if (index % 3 === 0) await live.first('speech_started')
      if (index % 3 === 1) live.stop()
      live.terminate()
    }
    for (let round = 0; round < 10; round++) {
      await Promise.all(Array.from({ length: 5 }, broken))
      await untilNoSessions()
    }
    const health = async () =>
      (await (await fetch(`${server.url}/health`)).json()) as { engine: { state: string } }
    await until(async () => !['busy', 'loading'].includes((await health()).engine.state), {
      timeoutMs: 60_000,
      what: 'the engine to be at rest',
    })
    await until(async () => (await readdir(join(server.dataFolder, 'inbox'))).length === 0, {
      what: 'the inbox to be empty',
    })
  })

  test('survive a crash of the engine', async () => {
    const live = await openLive(server.url, english)
    live.send(report.subarray(0, 2 * RATE))
    await live.first('partial')
    const pids = server
      .log()
      .flatMap(({ msg, pid }) => (msg === 'engine process started' ? [Number(pid)] : []))
    process.kill(pids.at(-1)!, 'SIGKILL')
    live.send(report.subarray(2 * RATE))
    live.stop()
    expect((await live.closed).code).toBe(1000)
    expect(live.of('final').map(({ text }) => text)).toEqual([await transcribed(wavOf(asFloats(report)))])
  })
})
