// One live socket from its opening to its end, whatever is spoken on it: who is silent, who does not read, when the
// server stops. What frames mean and what is told is its talk's (live-session.ts); who may open one is open-socket.ts.

import type { DictationFailure } from '../../../dictation/choose-model.ts'
import type { Log } from '../../../lib/log.ts'
import { type Result, succeed } from '../../../lib/result.ts'
import { problemOf, SHUTTING_DOWN } from '../../contract/failure.ts'
import { PROBLEMS, type Problem } from '../../contract/problem.ts'
import type { Socket, SocketListener } from '../../contract/socket.ts'
import { internalError } from '../../server/errors.ts'
import { CLOSED, closeCodeOf } from './close-codes.ts'

export type LiveSocketOptions = {
  shutdown: AbortSignal
  /** called once, when nothing of it is left */
  onOver: () => void
  log: Log
  /** how long nothing may come; by default a minute */
  idleMs?: number
  /** how long what was said is waited for when the server stops; by default eight seconds */
  farewellMs?: number
}

export type Parting = { code: number; reason: string } | Problem

/** What a talk may do with its socket. */
export type LiveLine = {
  /** @param isPassing what is told changes soon: a client that is slow to read does not get it */
  send(message: object, isPassing?: boolean): void
  /** tells what is wrong and closes */
  refuse(problem: Problem): void
  /**
   * What was said so far is heard and told; `how` it ends is said then. A problem that is found meanwhile takes the place
   * of an end in order.
   */
  finish(how: Parting): void
  /** nothing is told after it */
  signal: AbortSignal
}

/** What is said on a socket: one protocol's. */
export type LiveTalk = {
  /** told first */
  greeting(): readonly object[]
  take(message: string | Uint8Array): void
  /** what comes after the end */
  takeLate?(message: string | Uint8Array): void
  /** nothing more is taken */
  finish(): void
  /** the other side is gone, before it was closed here */
  left?(how: 'in order' | 'broken'): void
  errorMessage(problem: Problem): object
  /** when all is told, or what ended it */
  ended: Promise<Result<null, DictationFailure>>
}

export type LiveSocket = {
  listener: SocketListener
  /** where no socket came of it */
  drop(): void
}

const IDLE_MS = 60_000
/** Of the ten seconds that a stop has, so that what was said is still told. */
const FAREWELL_MS = 8000
/** What changes soon is not added to what the other side has not read yet. */
const MOST_UNSENT_BEFORE_PARTIALS = 16 * 1024
/** Hours of words: nobody reads them any more. */
const MOST_UNSENT = 256 * 1024
/** For the other side to take off what was said last. */
const PARTING_MS = 5000

const READER_TOO_SLOW: Problem = {
  code: 'reader_too_slow',
  detail: 'What was heard is not read; read the messages while audio is sent.',
}

/** Failures are those of the model: nothing is heard yet. */
export async function openLiveSocket(
  options: LiveSocketOptions,
  begin: (line: LiveLine) => Promise<Result<LiveTalk, DictationFailure>>,
): Promise<Result<LiveSocket, DictationFailure>> {
  const { shutdown, log, idleMs = IDLE_MS, farewellMs = FAREWELL_MS } = options
  const work = new AbortController()
  const unsent: object[] = []
  let socket: Socket | null = null
  /** `finishing`: nothing more is taken; what ends it then is said when all was told */
  let state: 'open' | 'finishing' | 'over' = 'open'
  let ending: Parting = { code: CLOSED.done, reason: '' }
  let frames = 0
  const timers: Record<'idle' | 'farewell' | 'parting', Timer | undefined> = {
    idle: undefined,
    farewell: undefined,
    parting: undefined,
  }

  const write = (message: object) => {
    if (state === 'over') return
    if (socket === null) unsent.push(message)
    else socket.send(JSON.stringify(message))
  }

  const send = (message: object, isPassing = false) => {
    const behind = socket?.unsentBytes() ?? 0
    if (isPassing && behind > MOST_UNSENT_BEFORE_PARTIALS) return
    if (behind > MOST_UNSENT) refuse(READER_TOO_SLOW)
    else write(message)
  }

  const refuse = (problem: Problem) => {
    write(talk.errorMessage(problem))
    close({ code: closeCodeOf(problem), reason: PROBLEMS[problem.code].title })
  }

  const close = ({ code, reason }: { code: number; reason: string }) => {
    if (state === 'over') return
    state = 'over'
    log.info({ code, frames }, 'a live socket is closed')
    timers.parting = setTimeout(() => socket?.cut(), PARTING_MS).unref()
    socket?.close(code, reason)
    work.abort()
  }

  const finish = (how: Parting) => {
    if (state === 'finishing' && 'detail' in how && !('detail' in ending)) ending = how
    if (state !== 'open') return
    state = 'finishing'
    ending = how
    clearTimeout(timers.idle)
    talk.finish()
  }

  const sayGoodbye = () => {
    finish({ code: CLOSED.goingAway, reason: PROBLEMS.shutting_down.title })
    timers.farewell = setTimeout(() => refuse(SHUTTING_DOWN), farewellMs)
  }

  const begun = await begin({ send, refuse, finish, signal: work.signal })
  if (!begun.ok) return begun
  const talk = begun.value
  shutdown.addEventListener('abort', sayGoodbye, { once: true })
  if (shutdown.aborted) sayGoodbye()
  void talk.ended
    .then(
      (ended) => {
        if (!ended.ok) refuse(problemOf(ended.failure))
        else if ('detail' in ending) refuse(ending)
        else close(ending)
      },
      (error) => refuse(internalError(error, log)),
    )
    .finally(() => {
      shutdown.removeEventListener('abort', sayGoodbye)
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
        for (const message of [...talk.greeting(), ...unsent]) send(message)
      },
      received(message) {
        if (state === 'open') {
          frames++
          timers.idle?.refresh()
          talk.take(message)
        } else if (state === 'finishing' && !('detail' in ending) && ending.code === CLOSED.done) {
          talk.takeLate?.(message)
        }
      },
      closed(how) {
        if (state !== 'over') talk.left?.(how)
        over()
      },
    },
  })
}

const silentFor = (ms: number): Problem => ({
  code: 'nothing_received',
  detail: `Nothing came for ${Math.round(ms / 1000)} seconds; what was said before was heard.`,
})
