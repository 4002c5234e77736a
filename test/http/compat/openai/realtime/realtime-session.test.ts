// One session of WS /v1/realtime, for cases that would take too long on a real one: a failing engine, interleaved finals, an
// idle client, a client that never reads. Socket and streams are stubs; every event is compared with OpenAI's types.

import { describe, expect, test } from 'bun:test'
import type * as OpenAi from 'openai/resources/realtime/realtime'
import type { FinalUtterance, LiveEvent } from '../../../../../src/dictation/live-dictation.ts'
import { createRealtimeProtocol } from '../../../../../src/http/compat/openai/realtime/realtime-session.ts'
import { defaultConfig, PARTIALS } from '../../../../../src/http/compat/openai/realtime/session-config.ts'
import type { Socket } from '../../../../../src/http/kernel/connection.ts'
import { openLiveSocket } from '../../../../../src/http/transcribe/live/live-socket.ts'
import { silentLog } from '../../../../../src/lib/log.ts'
import { fail, type Result, succeed } from '../../../../../src/lib/result.ts'
import { until } from '../../../../support/until.ts'

// biome-ignore lint/suspicious/noExplicitAny: an event of the server, which the tests inspect
type ServerEvent = { type: string; [name: string]: any }
type Stream = {
  emit(event: LiveEvent): void
  end(ending?: Result<null, { code: string; message: string }>): void
  samples: number
  isFinished: boolean
  isCancelled(): boolean
}

const ITEM = 'conversation.item.input_audio_transcription'
const soon = { timeoutMs: 60_000 }
/** 100 ms. */
const TENTH = Buffer.alloc(3200).toString('base64')

async function opened({ turns = true, idleMs = 60_000, farewellMs = 60_000, partials = false } = {}) {
  const events: ServerEvent[] = []
  const streams: Stream[] = []
  const state = { closed: null as number | null, isOver: false, unsent: 0 }
  const socket: Socket = {
    send: (text) => void events.push(JSON.parse(text)),
    unsentBytes: () => state.unsent,
    close: (code) => {
      state.closed = code
    },
    cut() {},
  }
  const shutdown = new AbortController()
  const onOver = () => {
    state.isOver = true
  }
  const opening = await openLiveSocket(
    { shutdown: shutdown.signal, onOver, log: silentLog, idleMs, farewellMs },
    async (line) =>
      succeed(
        createRealtimeProtocol(line, {
          config: {
            ...defaultConfig({ partials }),
            format: { type: 'audio/pcm', rate: 16_000 },
            ...(!turns && { turnDetection: null }),
          },
          isOlder: false,
          check: async () => null,
          async begin(_, { signal, onEvent }) {
            const ended = Promise.withResolvers<Result<null, { code: string; message: string }>>()
            // Like the real one: cancelled work ends at once.
            signal.addEventListener('abort', () =>
              ended.resolve(fail({ code: 'aborted', message: 'Cancelled.' })),
            )
            const stream: Stream = {
              emit: (event) => signal.aborted || onEvent(event),
              end: (ending = succeed(null)) => ended.resolve(ending),
              samples: 0,
              isFinished: false,
              isCancelled: () => signal.aborted,
            }
            streams.push(stream)
            return succeed({
              model: 'tiny.en',
              push: (samples) => {
                stream.samples += samples.length
              },
              finish: () => {
                stream.isFinished = true
              },
              ended: ended.promise,
            })
          },
          log: silentLog,
        }),
      ),
  )
  if (!opening.ok) throw new Error(opening.failure.message)
  const { listener } = opening.value
  listener.opened(socket)
  const say = (event: object) => listener.received(JSON.stringify(event))
  return {
    events,
    streams,
    state,
    listener,
    shutdown,
    say,
    append: (audio = TENTH) => say({ type: 'input_audio_buffer.append', audio }),
    commit: () => say({ type: 'input_audio_buffer.commit' }),
    clear: () => say({ type: 'input_audio_buffer.clear' }),
    /** the stream with this number, when it has begun */
    stream: (number: number) => until(() => streams[number - 1], soon),
    first: (type: string) =>
      until(() => events.find((one) => one.type === type), {
        ...soon,
        what: () => `${type} among ${JSON.stringify(events)}`,
      }),
    types: () => events.slice(1).map(({ type }) => type),
  }
}

const started = (utterance: number, atMs: number): LiveEvent => ({ kind: 'speech_started', utterance, atMs })
const stopped = (utterance: number, atMs: number): LiveEvent => ({ kind: 'speech_stopped', utterance, atMs })
const confirmed = (utterance: number, text: string): LiveEvent => ({
  kind: 'confirmed',
  utterance,
  text,
  startMs: 0,
  endMs: 500,
})
const final = (utterance: number, text: string): LiveEvent => ({
  kind: 'final',
  ...({
    utterance,
    startMs: 0,
    endMs: 1500,
    text,
    refined: null,
    language: 'en',
    languageProbability: null,
    model: 'tiny.en',
    segments: [],
  } satisfies FinalUtterance),
})
const CRASHED = fail({ code: 'engine_crashed', message: 'The engine died.' })

test('every event matches OpenAI’s types', async () => {
  const { events, append, stream, commit, clear, say, first } = await opened({ partials: true })
  append()
  const one = await stream(1)
  one.emit(started(1, 320))
  one.emit({ kind: 'partial', utterance: 1, text: 'Please' })
  one.emit(confirmed(1, 'Please'))
  one.emit(stopped(1, 3480))
  one.emit(final(1, 'Please send it.'))
  append()
  one.emit(started(2, 4000))
  one.end(CRASHED)
  await first(`${ITEM}.failed`)
  clear()
  say({ type: 'response.create', event_id: 'mine' })
  commit()
  await until(() => events.filter(({ type }) => type === 'error').length === 2, soon)

  const [first_id, second_id] = events
    .filter(({ type }) => type === 'input_audio_buffer.speech_started')
    .map(({ item_id }) => item_id as string)
  const event_id = expect.stringMatching(/^event_\w+$/) as unknown as string
  const item = (id: string) => ({
    id,
    object: 'realtime.item' as const,
    type: 'message' as const,
    status: 'completed' as const,
    role: 'user' as const,
    content: [{ type: 'input_audio' as const, transcript: null as unknown as string }],
  })
  const content_index = 0
  const session = expect.anything() as unknown as OpenAi.SessionCreatedEvent['session']
  const place = { previous_item_id: null, item: item(first_id!) }
  const next = { previous_item_id: first_id!, item: item(second_id!) }
  const expected: OpenAi.RealtimeServerEvent[] = [
    { type: 'session.created', event_id, session },
    { type: 'input_audio_buffer.speech_started', event_id, item_id: first_id!, audio_start_ms: 20 },
    { type: `${ITEM}.delta`, event_id, item_id: first_id!, content_index, delta: 'Please' },
    { type: 'input_audio_buffer.speech_stopped', event_id, item_id: first_id!, audio_end_ms: 3480 },
    { type: 'input_audio_buffer.committed', event_id, item_id: first_id!, previous_item_id: null },
    { type: 'conversation.item.added', event_id, ...place },
    { type: 'conversation.item.done', event_id, ...place },
    { type: `${ITEM}.delta`, event_id, item_id: first_id!, content_index, delta: ' send it.' },
    {
      type: `${ITEM}.completed`,
      event_id,
      item_id: first_id!,
      content_index,
      transcript: 'Please send it.',
      usage: { type: 'duration', seconds: 1.5 },
    },
    { type: 'input_audio_buffer.speech_started', event_id, item_id: second_id!, audio_start_ms: 3700 },
    { type: 'input_audio_buffer.committed', event_id, item_id: second_id!, previous_item_id: first_id! },
    { type: 'conversation.item.added', event_id, ...next },
    { type: 'conversation.item.done', event_id, ...next },
    {
      type: `${ITEM}.failed`,
      event_id,
      item_id: second_id!,
      content_index,
      error: { type: 'server_error', code: 'engine_unavailable', message: 'The engine died.' },
    },
    { type: 'input_audio_buffer.cleared', event_id },
    {
      type: 'error',
      event_id,
      error: {
        type: 'invalid_request_error',
        code: 'invalid_request',
        message: expect.stringMatching(/session\.update/) as unknown as string,
        param: 'type',
        event_id: 'mine',
      },
    },
    {
      type: 'error',
      event_id,
      error: {
        type: 'invalid_request_error',
        code: 'input_audio_buffer_commit_empty',
        message: 'The buffer holds 0.00 ms of audio; a commit needs at least 100 ms.',
        param: null,
        event_id: null,
      },
    },
  ]
  const partial = events.find(({ type }) => type === 'input_audio_buffer.partial_transcription')
  expect(partial).toEqual({
    type: 'input_audio_buffer.partial_transcription',
    event_id,
    item_id: first_id!,
    transcript: 'Please',
    confirmed: '',
    unstable: 'Please',
  })
  expect(events.filter((one) => one !== partial)).toEqual(expected)
})

describe('audio that cannot be transcribed', () => {
  test('fails only its item: later audio is transcribed', async () => {
    const { events, streams, append, commit, stream, first } = await opened({ turns: false })
    append()
    commit()
    append()
    commit()
    ;(await stream(1)).end(CRASHED)
    const two = await stream(2)
    two.emit(final(1, 'Heard.'))
    two.end()
    await first(`${ITEM}.completed`)
    const [failed] = events.filter(({ type }) => type === `${ITEM}.failed`)
    const ids = events
      .filter(({ type }) => type === 'input_audio_buffer.committed')
      .map(({ item_id }) => item_id)
    expect([failed!.item_id, (await first(`${ITEM}.completed`)).item_id]).toEqual(ids)
    expect([streams.length, (await first(`${ITEM}.completed`)).transcript]).toEqual([2, 'Heard.'])
  })

  test('is reported before any speech, and a new stream continues', async () => {
    const { append, stream, first, state } = await opened()
    append()
    ;(await stream(1)).end(fail({ code: 'model_not_installed', message: 'It is gone.' }))
    expect((await first('error')).error).toMatchObject({ code: 'model_not_installed', type: 'server_error' })
    append()
    await stream(2)
    expect(state.closed).toBe(null)
  })

  test('ends the session if transcription is too slow', async () => {
    const { append, stream, first, state } = await opened()
    append()
    ;(await stream(1)).end(fail({ code: 'too_far_behind', message: 'Ten minutes wait.' }))
    expect((await first('error')).error).toMatchObject({ code: 'too_far_behind', type: 'rate_limit_error' })
    await until(() => state.isOver, soon)
    expect(state.closed).toBe(1013)
  })

  test('is limited to ten minutes, however it was committed', async () => {
    const { append, commit, first, state, stream } = await opened({ turns: false })
    const minute = Buffer.alloc(60 * 32_000).toString('base64')
    for (let at = 0; at < 13; at++) {
      append(minute)
      commit()
    }
    await stream(1)
    expect((await first('error')).error.code).toBe('too_far_behind')
    await until(() => state.isOver, soon)
    expect(state.closed).toBe(1013)
  })
})

describe('more pieces than may wait', () => {
  const MOST = 256
  const failures = (events: ServerEvent[]) =>
    events.filter(({ type }) => type === 'error').map(({ error }) => error)
  const isIdle = (events: ServerEvent[]) => () => events.some(({ error }) => error?.event_id === 'last')
  const last = { type: 'response.create', event_id: 'last' }

  test('are refused one by one without losing audio, which can be committed when one of them is done', async () => {
    const { append, commit, say, events, stream, state, first } = await opened({ turns: false })
    for (let at = 0; at < MOST + 3; at++) {
      append()
      commit()
    }
    say(last)
    await until(isIdle(events), soon)
    const refused = failures(events).slice(0, -1)
    expect(refused.map(({ type, code }) => [type, code])).toEqual(
      Array.from({ length: 4 }, () => ['rate_limit_error', 'too_far_behind']),
    )
    expect(events.filter(({ type }) => type === 'input_audio_buffer.committed')).toHaveLength(MOST - 1)
    expect(state.closed).toBe(null)
    ;(await stream(1)).end()
    await first(`${ITEM}.completed`)
    commit()
    await until(
      () => events.filter(({ type }) => type === 'input_audio_buffer.committed').length === MOST,
      soon,
    )
    for (let at = 2; at <= MOST; at++) (await stream(at)).end()
    // Everything appended after the last accepted commit.
    const seconds = await until(
      () => events.filter(({ type }) => type === `${ITEM}.completed`)[MOST - 1]?.usage.seconds,
      soon,
    )
    expect(seconds).toBe(0.4)
  })

  test('are not caused by changed settings or cleared buffers', async () => {
    for (const between of ['update', 'clear'] as const) {
      const { append, commit, clear, say, events, state } = await opened({ turns: false })
      append()
      commit()
      for (let at = 0; at < MOST + 3; at++) {
        append()
        if (between === 'clear') clear()
        else
          say({
            type: 'session.update',
            session: { audio: { input: { transcription: { prompt: `${at}` } } } },
          })
      }
      say(last)
      await until(isIdle(events), soon)
      expect(
        new Set(
          failures(events)
            .slice(0, -1)
            .map(({ code }) => code),
        ),
      ).toEqual(new Set(['too_far_behind']))
      expect(state.closed).toBe(null)
    }
  })
})

test('a session does not hold more events than it can process', async () => {
  const { say, state, events } = await opened()
  for (let at = 0; at < 200_001; at++) say({ type: 'session.update', session: {} })
  await until(() => state.isOver, soon)
  expect([events.at(-1)!.error.code, state.closed]).toEqual(['too_far_behind', 1013])
})

test('large events contain audio and little else', async () => {
  const { say, listener, first, events, stream } = await opened()
  const slashes = '////'.repeat(500_000)
  const append = { type: 'input_audio_buffer.append', audio: slashes }
  listener.received(JSON.stringify(append).replaceAll('/', '\\/'))
  say({ nested: { audio: slashes }, type: 'input_audio_buffer.append', event_id: 'nested' })
  listener.received(`{"type":"session.update","session":${'['.repeat(2_000_000)}`)
  listener.received(`{"type":"input_audio_buffer.append","audio":"${slashes}`)
  await until(() => events.filter(({ type }) => type === 'error').length === 3, soon)
  expect(events.filter(({ type }) => type === 'error').map(({ error }) => error.code)).toEqual([
    'invalid_request',
    'body_too_large',
    'body_too_large',
  ])
  expect((await first('error')).error.event_id).toBe('nested')
  const one = await stream(1)
  await until(() => one.samples === (slashes.length / 4) * 1.5, soon)
})

test('accepts valid base64 with and without padding, and refuses anything else', async () => {
  const { say, events, stream } = await opened()
  const wrong = ['ä', '!!', 'AAAAA', 'AA=A', 'AAA=AAAA', 'AAAA AAA', '=', 'AAAA\nAAAA']
  for (const audio of wrong) say({ type: 'input_audio_buffer.append', audio })
  await until(() => events.length === 1 + wrong.length, soon)
  expect(events.slice(1).map(({ error }) => error.message)).toEqual(wrong.map(() => 'audio must be base64.'))
  for (const audio of ['AAAAAAA=', 'AAA', '__-+AAAA', '', 'AAAAAA=='])
    say({ type: 'input_audio_buffer.append', audio })
  const one = await stream(1)
  // 5, 2, 6, 0 and 4 bytes: the last one is half a sample, which waits for more.
  await until(() => one.samples === 8, soon)
  expect(events.length).toBe(1 + wrong.length)
})

describe('a cleared buffer', () => {
  test('keeps committed audio, and cancels the work on the rest', async () => {
    const { append, clear, stream, first, types } = await opened()
    append()
    const one = await stream(1)
    one.emit(started(1, 0))
    one.emit(stopped(1, 50))
    clear()
    await first('input_audio_buffer.cleared')
    one.emit(started(2, 60))
    one.emit(confirmed(2, 'Nobody wants'))
    expect(one.isCancelled()).toBe(false)
    one.emit(final(1, 'Wanted.'))
    expect((await first(`${ITEM}.completed`)).transcript).toBe('Wanted.')
    await until(() => one.isCancelled(), soon)
    append()
    await stream(2)
    expect(types().filter((type) => /started|failed|error/.test(type))).toEqual([
      'input_audio_buffer.speech_started',
    ])
  })
})

describe('changed settings', () => {
  const set = (input: object) => ({ type: 'session.update', session: { audio: { input } } })
  const SPEAKER = { transcription: { prompt: 'Ada' } }

  test('end an utterance that pauses would end, and continue an item that the client commits', async () => {
    const byPauses = await opened()
    byPauses.append()
    byPauses.say(set(SPEAKER))
    byPauses.append()
    const one = await byPauses.stream(1)
    await until(() => one.isFinished, soon)
    expect(byPauses.streams).toHaveLength(1)
    one.end()
    await byPauses.stream(2)

    const byHand = await opened({ turns: false })
    byHand.append()
    byHand.say(set(SPEAKER))
    byHand.append()
    byHand.commit()
    const before = await byHand.stream(1)
    before.emit(final(1, 'One'))
    before.end()
    const after = await byHand.stream(2)
    expect(byHand.types()).not.toContain(`${ITEM}.completed`)
    after.emit(final(1, 'item.'))
    after.end()
    const { transcript, usage } = await byHand.first(`${ITEM}.completed`)
    expect([transcript, usage.seconds]).toEqual(['One item.', 0.2])
    expect(byHand.events.filter(({ type }) => type === `${ITEM}.delta`).map(({ delta }) => delta)).toEqual([
      'One',
      ' item.',
    ])
  })

  test('do not disturb the transcription if they are equal or affect only the messages', async () => {
    const { append, say, stream, streams, first } = await opened()
    append()
    say({ type: 'session.update', session: { include: [PARTIALS] } })
    await first('session.updated')
    append()
    const one = await stream(1)
    await until(() => one.samples === 3200, soon)
    expect([streams.length, one.isFinished]).toEqual([1, false])
  })
})

test('a final that differs from the deltas leaves the deltas unchanged', async () => {
  const { append, stream, first, events } = await opened()
  append()
  const one = await stream(1)
  one.emit(started(1, 0))
  one.emit(confirmed(1, 'Please sent'))
  one.emit(stopped(1, 50))
  one.emit(final(1, 'Please send it.'))
  expect((await first(`${ITEM}.completed`)).transcript).toBe('Please send it.')
  expect(events.filter(({ type }) => type === `${ITEM}.delta`).map(({ delta }) => delta)).toEqual([
    'Please sent',
  ])
})

describe('a client', () => {
  test('that sends nothing is disconnected after the text so far', async () => {
    const { append, stream, state, events } = await opened({ turns: false, idleMs: 30 })
    append()
    const one = await stream(1)
    await until(() => one.isFinished, soon)
    one.emit(final(1, 'So far.'))
    one.end()
    await until(() => state.isOver, soon)
    expect(events.slice(-2).map(({ type, error }) => error?.code ?? type)).toEqual([
      `${ITEM}.completed`,
      'nothing_received',
    ])
    expect(state.closed).toBe(1008)
  })

  test('that does not read receives no partials, and is finally disconnected', async () => {
    const { append, stream, state, events } = await opened({ partials: true })
    append()
    const one = await stream(1)
    one.emit(started(1, 0))
    state.unsent = 17 * 1024
    one.emit({ kind: 'partial', utterance: 1, text: 'who knows' })
    one.emit(confirmed(1, 'Certainly'))
    expect(events.at(-1)).toMatchObject({ type: `${ITEM}.delta`, delta: 'Certainly' })
    state.unsent = 300 * 1024
    one.emit(confirmed(1, ' never read'))
    expect(events.at(-1)).toMatchObject({ type: 'error', error: { code: 'reader_too_slow' } })
    await until(() => state.isOver && one.isCancelled(), soon)
    expect(state.closed).toBe(1008)
  })

  test('that leaves ends the work, including waiting audio', async () => {
    const { append, commit, stream, listener, state, streams } = await opened({ turns: false })
    append()
    commit()
    append()
    const one = await stream(1)
    listener.closed('broken')
    await until(() => state.isOver, soon)
    expect([one.isCancelled(), streams.length]).toEqual([true, 1])
  })
})

test('a server that stops sends the remaining text, within its time limit', async () => {
  const { append, stream, state, shutdown, events } = await opened({ turns: false })
  append()
  const one = await stream(1)
  shutdown.abort()
  await until(() => one.isFinished, soon)
  one.emit(final(1, 'Said.'))
  one.end()
  await until(() => state.isOver, soon)
  expect([events.at(-1)!.transcript, state.closed]).toEqual(['Said.', 1001])

  const slow = await opened({ turns: false, farewellMs: 20 })
  slow.append()
  const two = await slow.stream(1)
  slow.shutdown.abort()
  await until(() => slow.state.isOver, soon)
  expect([slow.events.at(-1)!.error.code, slow.state.closed, two.isCancelled()]).toEqual([
    'shutting_down',
    1001,
    true,
  ])
})
