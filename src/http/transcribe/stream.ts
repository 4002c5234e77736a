// Streams a transcription as server-sent events: segments and progress, then the whole result.

import type { Dictation, DictationRequest } from '../../dictation/dictation.ts'
import type { Engine } from '../../engine/engine.ts'
import type { Log } from '../../lib/log.ts'
import type { Settings } from '../../settings/settings.ts'
import type { FindsModels } from '../fields/fields.ts'
import { wireSegment } from '../fields/segment.ts'
import { failureResponse, type ProblemBody, problemBody, problemOf } from '../kernel/problem.ts'
import type { RecordingDeps } from '../recording/receive.ts'
import { createEventQueue, eventStream, type StreamedEvent } from '../server/event-stream.ts'
import { internalError } from '../server/router.ts'
import { type WireOptions, wireTranscription } from './schema.ts'

type Listeners = Pick<DictationRequest, 'signal' | 'onProgress' | 'onSegment' | 'onDecoded'>

/** Starts the transcription. */
export type Run = (listeners: Listeners) => ReturnType<Dictation['transcribe']>

export type TranscriptionStreamOptions = {
  run: Run
  log: Log
  clientGone: AbortSignal
  shutdown: AbortSignal
  /** called once, when the transcription has ended */
  dispose: () => Promise<void>
}

type Transcribed = Awaited<ReturnType<Run>>

/** The format of the events in a stream. */
export type EventFormat = {
  /** events during the transcription */
  listeners(push: (event: StreamedEvent) => void): Pick<Listeners, 'onProgress' | 'onSegment'>
  /** the last events */
  last(outcome: Transcribed): StreamedEvent[]
  /** replaces the last events after an unexpected error */
  broken(problem: ProblemBody): StreamedEvent[]
  /** the data of the last event if the stream itself fails */
  describe(problem: ProblemBody): unknown
}

/** Responds only after the recording is decoded, so that undecodable audio gets an error status. */
export async function transcriptionStream(
  options: TranscriptionStreamOptions,
  format: EventFormat,
): Promise<Response> {
  const { run, log, clientGone, shutdown, dispose } = options
  const left = new AbortController()
  const queue = createEventQueue()
  const decoded = Promise.withResolvers<null>()
  const problemOfBreak = (error: unknown) => problemBody(internalError(error, log))
  const result = run({
    signal: AbortSignal.any([clientGone, shutdown, left.signal]),
    onDecoded: () => decoded.resolve(null),
    ...format.listeners(queue.push),
  })
  const ended = result
    .then((outcome) => format.last(outcome))
    // Also catches errors of `format`: the stream must end in any case.
    .catch((error) => format.broken(problemOfBreak(error)))
    .then((events) => {
      for (const event of events) queue.push(event)
      queue.end()
    })
  // However the stream ends, the file is removed only after the transcription has ended.
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
        // A signal with a listener lives as long as the shutdown signal that it is derived from.
        signal.removeEventListener('abort', leave)
      }
      // Makes a stopping server wait for the clean-up.
      await disposed
    },
    {
      signal: clientGone,
      shutdown,
      describeError: (error) => format.describe(problemOfBreak(error)),
    },
  )
}

export function transcribeStream(
  options: TranscriptionStreamOptions & { wire: WireOptions },
): Promise<Response> {
  const { wire } = options
  let segments = 0
  return transcriptionStream(options, {
    listeners: (push) => ({
      onProgress: (progress) => push({ event: 'progress', data: { progress } }),
      onSegment: (segment) => push({ event: 'segment', data: wireSegment(segment, segments++, wire) }),
    }),
    last: (transcribed) => [
      transcribed.ok
        ? { event: 'done', data: wireTranscription(transcribed.value, wire) }
        : { event: 'error', data: problemBody(problemOf(transcribed.failure)) },
    ],
    broken: (problem) => [{ event: 'error', data: problem }],
    describe: (problem) => problem,
  })
}

export type TranscribeRouteDeps = RecordingDeps & {
  log: Log
  engine: Pick<Engine, 'info'>
  models: FindsModels
  dictation: Dictation
  settings: { current(): Settings }
  /** fires when the server stops, and ends the streams */
  shutdown: AbortSignal
}

export const TRANSCRIBE_PROBLEMS = [
  'audio_too_long',
  'undecodable_audio',
  'unknown_model',
  'unsupported_language',
  'unsupported_task',
  'queue_full',
  'model_not_installed',
  'model_unreadable',
  'engine_unavailable',
  'shutting_down',
] as const
