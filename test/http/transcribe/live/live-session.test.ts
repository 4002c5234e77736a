// One live socket, for cases that would take too long on a real one: an idle client, a client that never reads, a slow stop.
// Socket and stream are stubs.

import { describe, expect, test } from 'bun:test'
import type { LiveEvent } from '../../../../src/dictation/live-dictation.ts'
import type { Socket } from '../../../../src/http/kernel/connection.ts'
import { createLiveSessions, openLiveSession } from '../../../../src/http/transcribe/live/live-session.ts'
import { silentLog } from '../../../../src/lib/log.ts'
import { fail, type Result, succeed } from '../../../../src/lib/result.ts'
import { until } from '../../../support/until.ts'

type Ending = Result<null, { code: string; message: string }>

async function opened({ idleMs = 60_000, farewellMs = 60_000 } = {}) {
  const messages: { type: string; [name: string]: unknown }[] = []
  const state = {
    closed: null as number | null,
    isCut: false,
    isOver: false,
    isFinished: false,
    samples: 0,
    unsent: 0,
  }
  const socket: Socket = {
    send: (text) => void messages.push(JSON.parse(text)),
    unsentBytes: () => state.unsent,
    close: (code) => {
      state.closed = code
    },
    cut: () => {
      state.isCut = true
    },
  }
  const ended = Promise.withResolvers<Ending>()
  const shutdown = new AbortController()
  let emit = (_: LiveEvent) => {}
  let signal = new AbortController().signal
  const session = await openLiveSession({
    async begin(listening) {
      emit = listening.onEvent
      signal = listening.signal
      // Like the real one: cancelled work ends at once.
      signal.addEventListener('abort', () => ended.resolve(fail({ code: 'aborted', message: 'Cancelled.' })))
      return succeed({
        model: 'tiny.en',
        push: (samples) => {
          state.samples += samples.length
        },
        finish: () => {
          state.isFinished = true
        },
        ended: ended.promise,
      })
    },
    ...{ language: 'en', encoding: null, rate: 16_000, words: false, idleMs, farewellMs },
    shutdown: shutdown.signal,
    onOver: () => {
      state.isOver = true
    },
    log: silentLog,
  })
  if (!session.ok) throw new Error(session.failure.message)
  const { listener } = session.value
  listener.opened(socket)
  return {
    messages,
    state,
    listener,
    shutdown,
    isCancelled: () => signal.aborted,
    emit: (event: LiveEvent) => emit(event),
    end: (ending: Ending = succeed(null)) => ended.resolve(ending),
  }
}

const partial: LiveEvent = { kind: 'partial', utterance: 1, text: 'who knows' }
const confirmed: LiveEvent = { kind: 'confirmed', utterance: 1, text: 'certainly', startMs: 0, endMs: 500 }
const soon = { timeoutMs: 60_000 }

describe('a client that sends nothing', () => {
  test('is disconnected after the text so far', async () => {
    const { messages, state, listener, emit, end } = await opened({ idleMs: 30 })
    listener.received(new Uint8Array(200))
    await until(() => state.isFinished, soon)
    expect(state.closed).toBe(null)
    listener.received(new Uint8Array(200))
    emit(confirmed)
    end()
    await until(() => state.isOver, soon)
    expect(messages.map(({ type, code }) => code ?? type)).toEqual(['ready', 'confirmed', 'nothing_received'])
    expect([state.closed, state.samples]).toEqual([1008, 100])
  })
})

describe('a client that does not read', () => {
  test('does not receive messages that will soon be superseded, but all others', async () => {
    const { messages, state, emit, end } = await opened()
    state.unsent = 17 * 1024
    for (const event of [partial, confirmed, partial]) emit(event)
    expect(messages.map(({ type }) => type)).toEqual(['ready', 'confirmed'])
    end()
  })

  test('is disconnected with a reason when hours of text are unread, and its work ends', async () => {
    const { messages, state, emit, isCancelled } = await opened()
    state.unsent = 300 * 1024
    emit(confirmed)
    expect(messages.at(-1)).toMatchObject({ type: 'error', code: 'reader_too_slow', status: 408 })
    expect([state.closed, isCancelled()]).toEqual([1008, true])
    await until(() => state.isOver, soon)
    emit(confirmed)
    expect(messages).toHaveLength(2)
  })
})

describe('a server that stops', () => {
  test('sends the remaining text, closes with 1001 and accepts nothing more', async () => {
    const { messages, state, listener, shutdown, emit, end } = await opened()
    listener.received(new Uint8Array(200))
    shutdown.abort()
    listener.received(new Uint8Array(200))
    emit(confirmed)
    end()
    await until(() => state.isOver, soon)
    expect(messages.map(({ type }) => type)).toEqual(['ready', 'confirmed'])
    expect([state.closed, state.samples]).toEqual([1001, 100])
  })

  test('does not wait for slow work', async () => {
    const { messages, state, shutdown, isCancelled } = await opened({ farewellMs: 20 })
    shutdown.abort()
    await until(() => state.isOver, soon)
    expect(messages.at(-1)).toMatchObject({ type: 'error', code: 'shutting_down' })
    expect([state.closed, isCancelled()]).toEqual([1001, true])
  })
})

test('reports failed work before it closes the socket, without internal details', async () => {
  const failed = await opened()
  failed.end(fail({ code: 'engine_crashed', message: 'The engine died.' }))
  await until(() => failed.state.isOver, soon)
  expect(failed.messages.at(-1)).toMatchObject({ type: 'error', code: 'engine_unavailable', status: 503 })
  expect(failed.state.closed).toBe(1011)

  const broken = await opened()
  broken.end(Promise.reject(new Error('SELECT secret')) as unknown as Ending)
  await until(() => broken.state.isOver, soon)
  expect(broken.messages.at(-1)).toMatchObject({ type: 'error', code: 'internal_error' })
  expect(JSON.stringify(broken.messages)).not.toContain('secret')
})

test('ends the work of a client that leaves, and sends nothing more', async () => {
  const { messages, state, listener, emit, isCancelled } = await opened()
  listener.closed('in order')
  emit(confirmed)
  expect(isCancelled()).toBe(true)
  await until(() => state.isOver, soon)
  expect([messages.length, state.closed]).toEqual([1, null])
})

describe('session places', () => {
  test('are limited, and each is freed once', async () => {
    const sessions = createLiveSessions(2)
    const [first, second] = [sessions.enter()!, sessions.enter()!]
    expect(sessions.enter()).toBe(null)
    first()
    first()
    expect(sessions.count()).toBe(1)
    expect(sessions.enter()).not.toBe(null)
    second()
  })

  test('are awaited until the last is free or the deadline has passed', async () => {
    const sessions = createLiveSessions(2)
    await sessions.over(60_000)
    const leave = sessions.enter()!
    await sessions.over(10)
    const over = sessions.over(60_000)
    leave()
    await over
    expect(sessions.count()).toBe(0)
  })
})
