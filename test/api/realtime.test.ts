// WS /v1/realtime against the real server with real speech: events, client errors and the guard. OpenAI's own clients are in
// test/clients/openai-realtime.test.ts; slow cases are in test/http/compat/openai/realtime/realtime-session.test.ts.

import { afterAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { handshake, oneAfterAnother, resampled, silenceOf, spokenIn } from '../support/live.ts'
import { openRealtime, type RealtimeClient } from '../support/realtime.ts'
import { startServer } from '../support/server.ts'
import { until } from '../support/until.ts'
import { wavHeader } from '../support/wav.ts'

/** Generous, for a busy machine. */
setDefaultTimeout(240_000)

const RATE = 16_000
const TOKEN = 'a-token-of-more-than-sixteen-letters'
const [server, locked] = await Promise.all([startServer(), startServer({ env: { DICTATION_TOKEN: TOKEN } })])
afterAll(async () => {
  for (const one of [server, locked]) {
    expect(one.log().filter((entry) => ['error', 'fatal'].includes(String(entry.level)))).toEqual([])
    expect(await one.stop()).toBe(0)
  }
})

const ITEM = 'conversation.item.input_audio_transcription'
const pcm16k = { format: { type: 'audio/pcm', rate: RATE } }
const english = { transcription: { model: 'whisper-1', language: 'en' } }
const byHand = { ...pcm16k, ...english, turn_detection: null }
const report = await spokenIn('short-03.flac')
const second = await spokenIn('short-09.flac')

async function transcribed(samples: Int16Array<ArrayBuffer>, rate = RATE): Promise<string> {
  const form = new FormData()
  const wav = [wavHeader({ dataBytes: samples.byteLength, rate, channels: 1 }), samples]
  form.append('file', new Blob(wav), 'said.wav')
  form.append('model', 'whisper-1')
  form.append('language', 'en')
  const response = await fetch(`${server.url}/v1/audio/transcriptions`, { method: 'POST', body: form })
  const { text } = (await response.json()) as { text: string }
  expect(text).toMatch(/\w/)
  return text
}

const deltasOf = (client: RealtimeClient, id: string) =>
  client
    .of(`${ITEM}.delta`)
    .filter(({ item_id }) => item_id === id)
    .map(({ delta }) => delta)
    .join('')

const typesOf = (client: RealtimeClient) => client.messages.map(({ type }) => type)

describe('a session', () => {
  test('begins with its configuration and accepts updates', async () => {
    const live = await openRealtime(server.url, { protocols: ['realtime', 'something-else'] })
    expect(live.protocol).toBe('realtime')
    const { session, event_id } = await live.first('session.created')
    expect(event_id).toStartWith('event_')
    expect(session).toEqual({
      object: 'realtime.transcription_session',
      type: 'transcription',
      id: expect.stringMatching(/^sess_\w+$/),
      include: [],
      audio: {
        input: {
          format: { type: 'audio/pcm', rate: 24_000 },
          noise_reduction: null,
          transcription: { model: 'whisper-1' },
          turn_detection: {
            type: 'server_vad',
            threshold: 0.5,
            prefix_padding_ms: 300,
            silence_duration_ms: 500,
          },
        },
      },
    })
    await live.set({
      format: { type: 'audio/pcmu' },
      noise_reduction: { type: 'near_field' },
      transcription: {
        model: 'gpt-4o-transcribe',
        language: 'english',
        prompt: 'Ada',
        keywords: ['Elysia'],
        delay: 'low',
      },
      turn_detection: { type: 'semantic_vad', eagerness: 'low', silence_duration_ms: 90_000 },
    })
    const { input } = live.of('session.updated')[0]!.session.audio
    expect(input).toEqual({
      format: { type: 'audio/pcmu' },
      noise_reduction: null,
      transcription: { model: 'gpt-4o-transcribe', language: 'en', prompt: 'Ada', keywords: ['Elysia'] },
      turn_detection: {
        type: 'server_vad',
        threshold: 0.5,
        prefix_padding_ms: 300,
        silence_duration_ms: 5000,
      },
    })
    // Omitted fields stay unchanged; null restores the default.
    await live.set({ transcription: { language: null }, turn_detection: null })
    expect(live.of('session.updated')[1]!.session.audio.input).toEqual({
      ...input,
      transcription: { model: 'gpt-4o-transcribe', prompt: 'Ada', keywords: ['Elysia'] },
      turn_detection: null,
    })
    live.terminate()
  })

  test('transcribes samples that appends split in two', async () => {
    const live = await openRealtime(server.url)
    await live.set(byHand)
    const bytes = new Uint8Array(report.buffer, report.byteOffset, report.byteLength)
    for (let at = 0; at < bytes.length; at += 1001) live.append(bytes.slice(at, at + 1001))
    live.commit()
    expect(await live.completed(1)).toEqual([await transcribed(report)])
    expect(live.of('error')).toEqual([])
    live.terminate()
  })

  test('uses the older event names for clients that use them', async () => {
    const live = await openRealtime(server.url, { headers: { 'openai-beta': 'realtime=v1' } })
    expect((await live.first('transcription_session.created')).session).toMatchObject({
      input_audio_format: 'pcm16',
      turn_detection: { type: 'server_vad' },
    })
    live.say({
      type: 'transcription_session.update',
      session: {
        input_audio_format: 'g711_alaw',
        input_audio_transcription: { model: 'gpt-4o-mini-transcribe', language: 'en' },
        turn_detection: null,
      },
    })
    const { session } = await live.first('transcription_session.updated')
    expect(session).toMatchObject({
      input_audio_format: 'g711_alaw',
      input_audio_transcription: { model: 'gpt-4o-mini-transcribe', language: 'en' },
      turn_detection: null,
    })
    live.append(new Uint8Array(8000).fill(0xd5))
    live.commit()
    expect(await live.completed(1)).toEqual([''])
    expect(typesOf(live).slice(-3)).toEqual([
      'input_audio_buffer.committed',
      'conversation.item.created',
      `${ITEM}.completed`,
    ])
    live.terminate()
  })
})

describe('speech', () => {
  test('becomes items between pauses, sent word by word, and completed like a recording', async () => {
    const live = await openRealtime(server.url)
    await live.set(
      { ...pcm16k, ...english },
      { include: ['item.input_audio_transcription.logprobs', 'item.input_audio_transcription.partial'] },
    )
    live.append(report.subarray(0, 2 * RATE))
    const partial = await live.first('input_audio_buffer.partial_transcription')
    expect(partial.transcript).toBe(`${partial.confirmed}${partial.unstable}`)
    live.append(report.subarray(2 * RATE, 3 * RATE))
    await live.first(`${ITEM}.delta`)
    live.append(report.subarray(3 * RATE))
    live.append(silenceOf(1))
    const [text] = await live.completed(1)

    const { item_id: id } = await live.first('input_audio_buffer.speech_started')
    expect(deltasOf(live, id)).toBe(text!)
    expect(typesOf(live).filter((type) => !/session|delta|partial/.test(type))).toEqual([
      'input_audio_buffer.speech_started',
      'input_audio_buffer.speech_stopped',
      'input_audio_buffer.committed',
      'conversation.item.added',
      'conversation.item.done',
      `${ITEM}.completed`,
    ])
    const { audio_end_ms: end } = await live.first('input_audio_buffer.speech_stopped')
    expect(end).toBeWithin(2500, 3600)
    const { usage, logprobs } = await live.first(`${ITEM}.completed`)
    // Half a second of silence ended it.
    const utterance = oneAfterAnother(report, silenceOf(1)).subarray(0, Math.round(usage.seconds * RATE))
    expect(text).toBe(await transcribed(utterance))
    expect(usage).toEqual({ type: 'duration', seconds: expect.any(Number) })
    expect(logprobs.map(({ token }: { token: string }) => token).join('')).toBe(` ${text}`)

    live.append(second)
    live.append(silenceOf(1))
    await live.completed(2)
    const [first, next] = live.of('input_audio_buffer.committed')
    expect([first!.previous_item_id, next!.previous_item_id]).toEqual([null, first!.item_id])
    expect(live.of('input_audio_buffer.speech_started')[1]!.audio_start_ms).toBeGreaterThan(end)
    expect(new Set(live.messages.map(({ event_id }) => event_id)).size).toBe(live.messages.length)
    live.terminate()
  })

  test('becomes one item per commit, whatever its pauses, without speech events', async () => {
    const live = await openRealtime(server.url)
    await live.set(byHand)
    live.append(report)
    live.commit()
    live.append(oneAfterAnother(report, silenceOf(2), second))
    live.commit()
    live.append(silenceOf(1))
    live.commit()
    const texts = await live.completed(3)
    const [one, other] = [await transcribed(report), await transcribed(second)]
    expect(texts[0]).toBe(one)
    expect(texts[1]).toStartWith(`${one} `)
    expect(texts[1]!.length).toBeGreaterThan(one.length + other.length / 2)
    expect(texts[2]).toBe('')
    for (const { item_id, transcript } of live.of(`${ITEM}.completed`))
      expect(deltasOf(live, item_id)).toBe(transcript)
    expect(live.of(`${ITEM}.completed`).map(({ usage }) => usage.seconds)).toEqual(
      [report.length, report.length + 2 * RATE + second.length, RATE].map(
        (samples) => Math.round(samples / 16) / 1000,
      ),
    )
    expect(live.of('input_audio_buffer.committed').map(({ item_id }) => item_id)).toEqual(
      live.of(`${ITEM}.completed`).map(({ item_id }) => item_id),
    )
    expect(typesOf(live).filter((type) => type.includes('speech'))).toEqual([])
    live.terminate()
  })

  test('may be committed before a pause, which ends the utterance', async () => {
    const live = await openRealtime(server.url)
    await live.set({ ...pcm16k, ...english })
    live.append(report)
    await live.first('input_audio_buffer.speech_started')
    live.commit()
    const [text] = await live.completed(1)
    expect(text).toBe(await transcribed(report))
    expect(live.of('input_audio_buffer.speech_stopped')).toMatchObject([{ audio_end_ms: 3379 }])
    expect(live.of('input_audio_buffer.committed')).toHaveLength(1)
    live.terminate()
  })

  test('may have 24 kHz, the default', async () => {
    const samples = resampled(report, 24_000)
    const live = await openRealtime(server.url)
    await live.set({ ...english, turn_detection: null })
    for (let at = 0; at < samples.length; at += 2400) live.append(samples.subarray(at, at + 2400))
    live.commit()
    expect(await live.completed(1)).toEqual([await transcribed(samples, 24_000)])
    live.terminate()
  })

  test('may be telephone audio', async () => {
    const samples = resampled(report, 8000)
    for (const [format, encode] of [
      ['audio/pcmu', encodeMulaw],
      ['audio/pcma', encodeAlaw],
    ] as const) {
      const live = await openRealtime(server.url)
      await live.set({ ...english, format: { type: format }, turn_detection: null })
      live.append(Uint8Array.from(samples, encode))
      live.commit()
      expect((await live.completed(1))[0]).toMatch(/report to Michael/i)
      live.terminate()
    }
  })

  test('is transcribed by the requested model from the next audio on', async () => {
    const live = await openRealtime(server.url, { query: 'intent=transcription&model=gpt-realtime-whisper' })
    await live.set({ ...pcm16k, turn_detection: null, transcription: { model: 'base', language: 'en' } })
    live.append(report)
    await live.set({ transcription: { model: 'tiny.en' } })
    live.append(silenceOf(1))
    live.commit()
    // The item continues with another model.
    const [text] = await live.completed(1)
    expect(text).toMatch(/^Please send the report/)
    expect(live.of('input_audio_buffer.committed')).toHaveLength(1)
    live.terminate()
  })

  test('is transcribed as by POST /v1/audio/transcriptions, whatever model the default writing style names', async () => {
    const send = async (method: string, path: string, init: RequestInit = {}) => {
      const response = await fetch(`${server.url}${path}`, { method, ...init })
      expect(response.status, `${method} ${path}`).toBeLessThan(300)
      return response
    }
    const makeDefault = (id: string) => send('PUT', `/writing-styles/${id}/default`)
    const styles = (await (await send('GET', '/writing-styles')).json()) as {
      items: { id: string; is_default: boolean }[]
    }
    const made = await send('POST', '/writing-styles', {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'Better recognition', stt_model: 'base' }),
    })
    const { id } = (await made.json()) as { id: string }
    await makeDefault(id)
    const live = await openRealtime(server.url)
    await live.set(byHand)
    live.append(second)
    live.commit()
    // The two models give different texts for this.
    expect(await live.completed(1)).toEqual([await transcribed(second)])
    live.terminate()
    await makeDefault(styles.items.find((one) => one.is_default)!.id)
    await send('DELETE', `/writing-styles/${id}`)
  })

  test('is discarded when the buffer is cleared, except for existing items', async () => {
    const live = await openRealtime(server.url)
    await live.set(byHand)
    live.append(report)
    live.commit()
    live.append(second)
    live.say({ type: 'input_audio_buffer.clear' })
    await live.first('input_audio_buffer.cleared')
    live.append(silenceOf(1))
    live.commit()
    expect(await live.completed(2)).toEqual([await transcribed(report), ''])
    live.terminate()
  })

  test('may be appended in one event of the maximum size', async () => {
    const live = await openRealtime(server.url)
    await live.set(byHand)
    const long = new Int16Array((15 * 1024 ** 2) / 2)
    long.set(report)
    live.append(long)
    live.commit()
    expect(await live.completed(1)).toEqual([await transcribed(report)])
    live.append(new Uint8Array(15 * 1024 ** 2 + 6))
    expect((await live.first('error')).error).toMatchObject({ code: 'invalid_request', param: 'audio' })
    live.terminate()
  })
})

describe('unsupported events', () => {
  const wrong: Record<string, [event: object | string, error: { code: string; param: string | null }]> = {
    'a requested response': [{ type: 'response.create' }, { code: 'invalid_request', param: 'type' }],
    'an event that there is not': [{ type: 'buffer.eat' }, { code: 'invalid_request', param: 'type' }],
    'no type': [{}, { code: 'invalid_request', param: 'type' }],
    'text that is no JSON': ['append', { code: 'malformed_json', param: null }],
    'JSON that is no object': ['[]', { code: 'malformed_json', param: null }],
    'audio that is no base64': [
      { type: 'input_audio_buffer.append', audio: 'ä' },
      { code: 'invalid_request', param: 'audio' },
    ],
    'no audio': [{ type: 'input_audio_buffer.append' }, { code: 'invalid_request', param: 'audio' }],
    'a file': [
      { type: 'input_audio_buffer.append', audio: btoa('RIFF____WAVE') },
      { code: 'unsupported_audio', param: null },
    ],
    'a commit of nothing': [
      { type: 'input_audio_buffer.commit' },
      { code: 'input_audio_buffer_commit_empty', param: null },
    ],
    'a session that talks': [
      { type: 'session.update', session: { type: 'realtime' } },
      { code: 'invalid_request', param: 'session.type' },
    ],
    'a format that there is not': [
      { type: 'session.update', session: { audio: { input: { format: { type: 'audio/mp3' } } } } },
      { code: 'invalid_request', param: 'session.audio.input.format.type' },
    ],
    'a model that there is not': [
      { type: 'session.update', session: { audio: { input: { transcription: { model: 'nonexistent' } } } } },
      { code: 'unknown_model', param: 'session.audio.input.transcription.model' },
    ],
    'a language that the model does not know': [
      {
        type: 'session.update',
        session: { audio: { input: { transcription: { model: 'tiny.en', language: 'de' } } } },
      },
      { code: 'unsupported_language', param: 'language' },
    ],
  }
  test.each(Object.entries(wrong))(
    'return an error, and the session continues: %s',
    async (_, [event, error]) => {
      const live = await openRealtime(server.url)
      live.send(typeof event === 'string' ? event : JSON.stringify({ ...event, event_id: 'mine' }))
      const received = await live.first('error')
      expect(received.error).toEqual({
        type: 'invalid_request_error',
        message: expect.stringMatching(/[.?]$/),
        event_id: typeof event === 'string' ? null : 'mine',
        ...error,
      })
      const before = live.of('session.created')[0]!.session
      await live.set({})
      expect(live.of('session.updated')[0]!.session).toEqual(before)
      live.terminate()
    },
  )

  test('include binary frames', async () => {
    const live = await openRealtime(server.url)
    live.send(report)
    expect((await live.first('error')).error.code).toBe('malformed_json')
    live.terminate()
  })
})

describe('access', () => {
  const path = '/v1/realtime?intent=transcription'
  const errorOf = ({ body }: { body: string }) => JSON.parse(body).error

  test('needs the key as a header, as a protocol, or a ticket', async () => {
    expect(errorOf(await handshake(locked.url, { path })).code).toBe('unauthorized')
    for (const headers of [
      { authorization: `Bearer ${TOKEN}` },
      { 'api-key': TOKEN },
      { 'sec-websocket-protocol': `realtime, openai-insecure-api-key.${TOKEN}, openai-beta.realtime-v1` },
    ]) {
      const { status, head } = await handshake(locked.url, { path, headers })
      expect([status, /^sec-websocket-protocol: realtime\r?$/im.test(head)]).toEqual([
        101,
        'sec-websocket-protocol' in headers,
      ])
    }
    const asking = {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token: TOKEN, ticket: true }),
    }
    const { ticket } = (await (await fetch(`${locked.url}/session`, asking)).json()) as { ticket: string }
    const ticketed = `${path}&ticket=${ticket}`
    expect((await handshake(locked.url, { path: ticketed })).status).toBe(101)
    expect((await handshake(locked.url, { path: ticketed })).status).toBe(401)
  })

  test('is refused for pages of other origins and for invalid requests', async () => {
    const foreign = await handshake(server.url, { path, headers: { origin: 'http://evil.test' } })
    expect([foreign.status, errorOf(foreign).code]).toEqual([403, 'origin_not_allowed'])
    for (const [query, code, param] of [
      ['intent=conversation', 'invalid_request', 'intent'],
      ['model=nonexistent', 'unknown_model', 'model'],
      ['partials=perhaps', 'invalid_request', 'partials'],
    ] as const) {
      const answer = await handshake(server.url, { path: `/v1/realtime?${query}` })
      expect([answer.status, errorOf(answer)], query).toEqual([422, expect.objectContaining({ code, param })])
    }
    expect((await fetch(`${server.url}/v1/realtime`)).status).toBe(426)
  })
})

describe('sessions', () => {
  const liveSessions = async () => {
    const text = await (await fetch(`${server.url}/metrics`)).text()
    return Number(/^dictation_live_sessions (\d+)$/m.exec(text)?.[1] ?? Number.NaN)
  }
  const untilNoSessions = () =>
    until(async () => (await liveSessions()) === 0, { timeoutMs: 60_000, what: 'all sessions to be over' })

  test('are limited to ten, including those of /transcribe/live, and leave nothing when they break', async () => {
    await untilNoSessions()
    for (let round = 0; round < 4; round++) {
      const all = await Promise.all(Array.from({ length: 10 }, () => openRealtime(server.url)))
      for (const path of ['/v1/realtime', '/transcribe/live'])
        expect((await handshake(server.url, { path })).status).toBe(429)
      for (const [index, live] of all.entries()) {
        live.append(report)
        if (index % 2 === 0) live.commit()
        if (index % 3 === 0) live.say({ type: 'input_audio_buffer.clear' })
        if (index % 5 === 0) await live.first('session.created')
        live.terminate()
      }
      await untilNoSessions()
    }
  })

  test('survive a crash of the engine', async () => {
    const live = await openRealtime(server.url)
    await live.set(byHand)
    live.append(report.subarray(0, 2 * RATE))
    await until(() => server.log().some(({ msg }) => msg === 'engine process started'), { timeoutMs: 60_000 })
    const pids = server
      .log()
      .flatMap(({ msg, pid }) => (msg === 'engine process started' ? [Number(pid)] : []))
    process.kill(pids.at(-1)!, 'SIGKILL')
    live.append(report.subarray(2 * RATE))
    live.commit()
    expect(await live.completed(1)).toEqual([await transcribed(report)])
    live.terminate()
  })

  test('receive the remaining text when the server stops', async () => {
    const stopping = await startServer({ env: { DICTATION_STOP_SECONDS: '120' } })
    const live = await openRealtime(stopping.url)
    await live.set(byHand)
    live.append(report)
    // The response comes after that to the appended audio.
    await live.set({})
    const stopped = stopping.stop()
    expect((await live.closed).code).toBe(1001)
    expect(live.of(`${ITEM}.completed`).map(({ transcript }) => transcript)).toEqual([
      await transcribed(report),
    ])
    expect(await stopped).toBe(0)
  })
})

/** G.711, section 3. */
function encodeMulaw(sample: number): number {
  const sign = sample < 0 ? 0x80 : 0
  const magnitude = Math.min(Math.abs(sample), 32_635) + 132
  const exponent = Math.max(0, Math.floor(Math.log2(magnitude)) - 7)
  return ~(sign | (exponent << 4) | ((magnitude >> (exponent + 3)) & 15)) & 0xff
}
function encodeAlaw(sample: number): number {
  const sign = sample >= 0 ? 0x80 : 0
  const magnitude = Math.min(Math.abs(sample), 32_767)
  const exponent = magnitude < 256 ? 0 : Math.floor(Math.log2(magnitude)) - 7
  const mantissa = (magnitude >> (exponent === 0 ? 4 : exponent + 3)) & 15
  return (sign | (exponent << 4) | mantissa) ^ 0x55
}
