// The life of a live socket, independent of its protocol: idle clients, slow readers, shutdown.

import type { DictationFailure } from '../../../dictation/choose-model.ts'
import type { Log } from '../../../lib/log.ts'
import { type Result, succeed } from '../../../lib/result.ts'
import type { Socket, SocketListener } from '../../kernel/connection.ts'
import { PROBLEMS, type Problem, problemOf, SHUTTING_DOWN } from '../../kernel/problem.ts'
import { internalError } from '../../server/router.ts'
import { CLOSED, closeCodeOf } from './messages.ts'

export type LiveSocketOptions = {
  shutdown: AbortSignal
  /** called once, when all its work has ended */
  onOver: () => void
  log: Log
  /** default: JSON */
  encode?: (message: object) => string
  /** longest time without a frame; default: one minute */
  idleMs?: number
  /** how long a stopping server waits for the remaining text; default: eight seconds */
  farewellMs?: number
}

export type CloseReason = { code: number; reason: string } | Problem

/** The socket as the protocol sees it. */
export type LiveChannel = {
  /** @param isPassing the message will soon be superseded, so slow readers do not receive it */
  send(message: object, isPassing?: boolean): void
  /** sends the error and closes the socket */
  refuse(problem: Problem): void
  /**
   * Transcribes and reports the audio so far, then closes the socket with `how`. A problem that occurs meanwhile replaces
   * a normal close.
   */
  finish(how: CloseReason): void
  /** fires when no more messages can be sent */
  signal: AbortSignal
}

/** A protocol on a live socket. */
export type LiveProtocol = {
  /** the first messages */
  greeting(): readonly object[]
  take(message: string | Uint8Array): void
  /** receives messages after the end */
  takeLate?(message: string | Uint8Array): void
  /** ends the input */
  finish(): void
  /** the client left before the server closed the socket */
  left?(how: 'in order' | 'broken'): void
  errorMessage(problem: Problem): object
  /** resolves when everything has been sent, or with the failure that ended the session */
  ended: Promise<Result<null, DictationFailure>>
}

export type LiveSocket = {
  listener: SocketListener
  /** called if the upgrade failed */
  drop(): void
}

const IDLE_MS = 60_000
/** Part of the ten seconds for a shutdown, so that the remaining text is still sent. */
const FAREWELL_MS = 8000
/** With more unread bytes than this, messages that will soon be superseded are skipped. */
const MAX_UNSENT_BEFORE_PARTIALS = 16 * 1024
/** Hours of text: the client has stopped reading. */
const MAX_UNSENT = 256 * 1024
/** Lets the client read the last messages. */
const PARTING_MS = 5000

const READER_TOO_SLOW: Problem = {
  code: 'reader_too_slow',
  detail: 'The client does not read the messages. Read them while you send audio.',
}

/** Fails only if the model is unavailable; nothing has been transcribed yet. */
export async function openLiveSocket(
  options: LiveSocketOptions,
  begin: (channel: LiveChannel) => Promise<Result<LiveProtocol, DictationFailure>>,
): Promise<Result<LiveSocket, DictationFailure>> {
  const { shutdown, log, encode = JSON.stringify, idleMs = IDLE_MS, farewellMs = FAREWELL_MS } = options
  const work = new AbortController()
  const unsent: object[] = []
  let socket: Socket | null = null
  /** `finishing`: accepts no more input; closes with `ending` when everything has been sent */
  let state: 'open' | 'finishing' | 'over' = 'open'
  let ending: CloseReason = { code: CLOSED.done, reason: '' }
  let frames = 0
  const timers: Record<'idle' | 'farewell' | 'parting', Timer | undefined> = {
    idle: undefined,
    farewell: undefined,
    parting: undefined,
  }

  const write = (message: object) => {
    if (state === 'over') return
    if (socket === null) unsent.push(message)
    else socket.send(encode(message))
  }

  const send = (message: object, isPassing = false) => {
    const behind = socket?.unsentBytes() ?? 0
    if (isPassing && behind > MAX_UNSENT_BEFORE_PARTIALS) return
    if (behind > MAX_UNSENT) refuse(READER_TOO_SLOW)
    else write(message)
  }

  const refuse = (problem: Problem) => {
    write(protocol.errorMessage(problem))
    close({ code: closeCodeOf(problem), reason: PROBLEMS[problem.code].title })
  }

  const close = ({ code, reason }: { code: number; reason: string }) => {
    if (state === 'over') return
    state = 'over'
    log.info({ code, frames }, 'live socket closed')
    timers.parting = setTimeout(() => socket?.cut(), PARTING_MS).unref()
    socket?.close(code, reason)
    work.abort()
  }

  const finish = (how: CloseReason) => {
    if (state === 'finishing' && 'detail' in how && !('detail' in ending)) ending = how
    if (state !== 'open') return
    state = 'finishing'
    ending = how
    clearTimeout(timers.idle)
    protocol.finish()
  }

  const onShutdown = () => {
    finish({ code: CLOSED.goingAway, reason: PROBLEMS.shutting_down.title })
    timers.farewell = setTimeout(() => refuse(SHUTTING_DOWN), farewellMs)
  }

  const begun = await begin({ send, refuse, finish, signal: work.signal })
  if (!begun.ok) return begun
  const protocol = begun.value
  shutdown.addEventListener('abort', onShutdown, { once: true })
  if (shutdown.aborted) onShutdown()
  void protocol.ended
    .then(
      (ended) => {
        if (!ended.ok) refuse(problemOf(ended.failure))
        else if ('detail' in ending) refuse(ending)
        else close(ending)
      },
      (error) => refuse(internalError(error, log)),
    )
    .finally(() => {
      shutdown.removeEventListener('abort', onShutdown)
      clearTimeout(timers.farewell)
      options.onOver()
    })

  const over = () => {
    state = 'over'
    clearTimeout(timers.idle)
    clearTimeout(timers.parting)
    work.abort()
  }
  return succeed({
    drop: over,
    listener: {
      opened(opened) {
        socket = opened
        timers.idle = setTimeout(() => finish(silentFor(idleMs)), idleMs)
        for (const message of [...protocol.greeting(), ...unsent]) send(message)
      },
      received(message) {
        if (state === 'open') {
          frames++
          timers.idle?.refresh()
          protocol.take(message)
        } else if (state === 'finishing' && !('detail' in ending) && ending.code === CLOSED.done) {
          protocol.takeLate?.(message)
        }
      },
      closed(how) {
        if (state !== 'over') protocol.left?.(how)
        over()
      },
    },
  })
}

const silentFor = (ms: number): Problem => ({
  code: 'nothing_received',
  detail: `No message arrived for ${Math.round(ms / 1000)} seconds. The audio sent before was transcribed.`,
})
