// One live socket from its opening to its end: frames become samples, events become messages, and whoever sends or reads
// badly is told why and cut off. What is heard is dictation/live-dictation.ts; who may open one is live.ts.

import { createPcmStream } from '../../../audio/pcm-stream.ts'
import type { DictationFailure } from '../../../dictation/choose-model.ts'
import type { LiveRequest, LiveStream } from '../../../dictation/live-dictation.ts'
import type { Log } from '../../../lib/log.ts'
import type { Result } from '../../../lib/result.ts'
import { succeed } from '../../../lib/result.ts'
import { problemOf, SHUTTING_DOWN } from '../../contract/failure.ts'
import { PROBLEMS, type Problem } from '../../contract/problem.ts'
import type { Socket, SocketListener } from '../../contract/socket.ts'
import { internalError } from '../../server/errors.ts'
import type { Keeping } from './keeping.ts'
import {
  CLOSED,
  closeCodeOf,
  errorMessage,
  type LiveMessage,
  messageOf,
  readCommand,
  wrongAudio,
} from './messages.ts'

export type LiveSessionOptions = {
  begin: (listening: Pick<LiveRequest, 'signal' | 'onEvent'>) => Promise<Result<LiveStream, DictationFailure>>
  language: string | null
  /** of the samples, in Hz */
  rate: number
  /** whether finals tell the times of words */
  words: boolean
  /** where a capture is to become of it */
  keep?: ((onFailure: (problem: Problem) => void) => Keeping) | null
  shutdown: AbortSignal
  /** called once, when nothing of it is left */
  onOver: () => void
  log: Log
  /** how long nothing may come; by default a minute */
  idleMs?: number
  /** how long what was said is waited for when the server stops; by default eight seconds */
  farewellMs?: number
}

export type LiveSession = {
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

const STREAM_ENDED: Problem = {
  code: 'stream_ended',
  detail: 'Nothing can follow {"type":"stop"}: open another socket for what comes next.',
}
const RECORDING_FULL: Problem = {
  code: 'file_too_large',
  detail: 'The recording is as large as one may be; what was sent before is kept.',
}
const READER_TOO_SLOW: Problem = {
  code: 'reader_too_slow',
  detail: 'What was heard is not read; read the messages while audio is sent.',
}

/** Failures are those of the model: nothing is heard yet. */
export async function openLiveSession(
  options: LiveSessionOptions,
): Promise<Result<LiveSession, DictationFailure>> {
  const { shutdown, log, idleMs = IDLE_MS, farewellMs = FAREWELL_MS } = options
  const work = new AbortController()
  const unsent: LiveMessage[] = []
  let socket: Socket | null = null
  /** `finishing`: nothing more is taken; what ends it then is said when all was told */
  let state: 'open' | 'finishing' | 'over' = 'open'
  let ending: { code: number; reason: string } | Problem = { code: CLOSED.done, reason: '' }
  let frames = 0
  /** whether the other side said that this was all */
  let isWhole = false
  const timers: Record<'idle' | 'farewell' | 'parting', Timer | undefined> = {
    idle: undefined,
    farewell: undefined,
    parting: undefined,
  }

  const send = (message: LiveMessage) => {
    if (state === 'over') return
    if (socket === null) return void unsent.push(message)
    const behind = socket.unsentBytes()
    if (message.type === 'partial' && behind > MOST_UNSENT_BEFORE_PARTIALS) return
    if (behind > MOST_UNSENT && message.type !== 'error') return refuse(READER_TOO_SLOW)
    socket.send(JSON.stringify(message))
  }

  const refuse = (problem: Problem) => {
    send(errorMessage(problem))
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

  /** What was said so far is heard and told; `how` it ends is said then. */
  const finish = (how: typeof ending) => {
    if (state !== 'open') return
    state = 'finishing'
    ending = how
    clearTimeout(timers.idle)
    pcm.finish()
    stream.finish()
  }

  const sayGoodbye = () => {
    finish({ code: CLOSED.goingAway, reason: PROBLEMS.shutting_down.title })
    timers.farewell = setTimeout(() => refuse(SHUTTING_DOWN), farewellMs)
  }

  const take = (message: string | Uint8Array) => {
    timers.idle?.refresh()
    if (typeof message === 'string') {
      const command = readCommand(message)
      if (!command.ok) return refuse(command.failure)
      isWhole = true
      return finish({ code: CLOSED.done, reason: '' })
    }
    const wrong = wrongAudio(message, { isFirst: frames++ === 0 })
    if (wrong) return refuse(wrong)
    if (keeping?.push(message) === false) return finish(RECORDING_FULL)
    pcm.push(message)
  }

  const keeping = options.keep?.(refuse) ?? null
  const keep = async () => {
    const kept = await keeping?.finish({ interrupted: !isWhole })
    if (kept?.ok === false) refuse(problemOf(kept.failure))
    else if (kept?.value) send({ type: 'kept', capture_id: kept.value })
  }

  const pcm = await createPcmStream(options.rate, (samples) => stream.push(samples))
  const begun = await options.begin({
    signal: work.signal,
    onEvent: (event) => send(messageOf(event, options)),
  })
  if (!begun.ok) {
    pcm.finish()
    return begun
  }
  const stream = begun.value
  shutdown.addEventListener('abort', sayGoodbye, { once: true })
  if (shutdown.aborted) sayGoodbye()
  void stream.ended
    .finally(keep)
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
      pcm.finish()
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
        const { language, rate } = options
        for (const message of [{ type: 'ready', model: stream.model, language, rate } as const, ...unsent])
          send(message)
      },
      received(message) {
        if (state === 'open') take(message)
        else if (state === 'finishing' && !('detail' in ending) && ending.code === CLOSED.done)
          refuse(STREAM_ENDED)
      },
      closed(how) {
        isWhole ||= how === 'in order' && state !== 'over'
        over()
      },
    },
  })
}

const silentFor = (ms: number): Problem => ({
  code: 'nothing_received',
  detail: `Nothing came for ${Math.round(ms / 1000)} seconds; what was said before was heard.`,
})
