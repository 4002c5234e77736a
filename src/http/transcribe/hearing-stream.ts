// A recording that is heard while server-sent events tell of it: what starts, what ends, and what is waited for.
// What the events say is stream.ts (ours) and compat/openai/stream.ts (OpenAI's).

import type { Dictation, DictationRequest } from '../../dictation/dictation.ts'
import type { Log } from '../../lib/log.ts'
import { failureResponse } from '../contract/failure.ts'
import { type ProblemBody, problemBody } from '../contract/problem.ts'
import { internalError } from '../server/errors.ts'
import { createEventQueue } from '../server/event-queue.ts'
import { eventStream, type StreamedEvent } from '../server/event-stream.ts'

type Listeners = Pick<DictationRequest, 'signal' | 'onProgress' | 'onSegment' | 'onDecoded'>

/** Starts the work. */
export type Run = (listeners: Listeners) => ReturnType<Dictation['transcribe']>

export type HearingStreamOptions = {
  run: Run
  log: Log
  clientGone: AbortSignal
  shutdown: AbortSignal
  /** called once, when the work has ended */
  dispose: () => Promise<void>
}

type Hearing = Awaited<ReturnType<Run>>

/** The words in which a stream tells of the work. */
export type Telling = {
  /** what is told meanwhile */
  listeners(push: (event: StreamedEvent) => void): Pick<Listeners, 'onProgress' | 'onSegment'>
  /** what is told in the end */
  last(outcome: Hearing): StreamedEvent[]
  /** of what nobody expected, instead of that */
  broken(problem: ProblemBody): StreamedEvent[]
  /** the data of the last event where the stream itself breaks */
  describe(problem: ProblemBody): unknown
}

/** Answers when the recording is decoded, so that one that cannot be gets a status of its own. */
export async function hearingStream(options: HearingStreamOptions, telling: Telling): Promise<Response> {
  const { run, log, clientGone, shutdown, dispose } = options
  const left = new AbortController()
  const queue = createEventQueue()
  const decoded = Promise.withResolvers<null>()
  const problemOfBreak = (error: unknown) => problemBody(internalError(error, log))
  const result = run({
    signal: AbortSignal.any([clientGone, shutdown, left.signal]),
    onDecoded: () => decoded.resolve(null),
    ...telling.listeners(queue.push),
  })
  const ended = result
    .then((outcome) => telling.last(outcome))
    // Also what the telling itself throws: the stream must end.
    .catch((error) => telling.broken(problemOfBreak(error)))
    .then((events) => {
      for (const event of events) queue.push(event)
      queue.end()
    })
  // Whatever becomes of the stream, the work's end is waited for before its file goes.
  const disposed = ended.then(dispose)

  const early = await Promise.race([decoded.promise, disposed.then(() => result)])
  if (early !== null && !early.ok) return failureResponse(early.failure)
  return eventStream(
    async function* (signal) {
      const leave = () => left.abort()
      signal.addEventListener('abort', leave, { once: true })
      try {
        yield* queue.events()
      } finally {
        // A signal that is listened to lives as long as the stop's own, of which it is made.
        signal.removeEventListener('abort', leave)
      }
      // So that a server that stops waits for it.
      await disposed
    },
    {
      signal: clientGone,
      shutdown,
      describeError: (error) => telling.describe(problemOfBreak(error)),
    },
  )
}
