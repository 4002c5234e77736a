// A transcription as server-sent events: segments and progress as they come, the whole answer last.
// Knows nothing of forms and models; transcribe.ts hands it work that is ready to start.

import type { Dictation, DictationRequest } from '../dictation/dictation.ts'
import type { Log } from '../lib/log.ts'
import { internalError } from './errors.ts'
import { createEventQueue } from './event-queue.ts'
import { eventStream, type ServerEvent } from './event-stream.ts'
import { failureResponse, problemOf } from './failure.ts'
import { problemBody } from './problem.ts'
import { wireSegment } from './segment-schema.ts'
import { type WireOptions, wireTranscription } from './transcription-schema.ts'

type Listeners = Pick<DictationRequest, 'signal' | 'onProgress' | 'onSegment' | 'onDecoded'>

/** Starts the work. */
export type Run = (listeners: Listeners) => ReturnType<Dictation['hear']>

export type TranscribeStreamOptions = {
  run: Run
  wire: WireOptions
  log: Log
  clientGone: AbortSignal
  shutdown: AbortSignal
  /** called once, when the work has ended */
  dispose: () => Promise<void>
}

/** Answers when the recording is decoded, so that one that cannot be gets a status of its own. */
export async function transcribeStream(options: TranscribeStreamOptions): Promise<Response> {
  const { run, wire, log, clientGone, shutdown, dispose } = options
  const left = new AbortController()
  const queue = createEventQueue()
  const decoded = Promise.withResolvers<null>()
  let segments = 0
  const result = run({
    signal: AbortSignal.any([clientGone, shutdown, left.signal]),
    onDecoded: () => decoded.resolve(null),
    onProgress: (progress) => queue.push({ event: 'progress', data: { progress } }),
    onSegment: (segment) => queue.push({ event: 'segment', data: wireSegment(segment, segments++, wire) }),
  })
  const ended = result
    .then(
      (transcript): ServerEvent =>
        transcript.ok
          ? { event: 'done', data: wireTranscription(transcript.value, wire) }
          : { event: 'error', data: problemBody(problemOf(transcript.failure)) },
    )
    // Also what the telling itself throws: the stream must end.
    .catch((error): ServerEvent => ({ event: 'error', data: problemBody(internalError(error, log)) }))
    .then((last) => {
      queue.push(last)
      queue.end()
    })
  // Whatever becomes of the stream, the work's end is waited for before its file goes.
  const disposed = ended.then(dispose)

  const early = await Promise.race([decoded.promise, disposed.then(() => result)])
  if (early !== null && !early.ok) return failureResponse(early.failure)
  return eventStream(
    async function* (signal) {
      signal.addEventListener('abort', () => left.abort(), { once: true })
      yield* queue.events()
      // So that a server that stops waits for it.
      await disposed
    },
    {
      signal: clientGone,
      shutdown,
      describeError: (error) => problemBody(internalError(error, log)),
    },
  )
}
