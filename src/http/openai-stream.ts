// A transcription as OpenAI streams it: the text piece by piece, then all of it.
// The pieces put together are the whole text; the dictionary may still change the last event's.

import type { Heard } from '../dictation/dictation.ts'
import type { Log } from '../lib/log.ts'
import { joinTexts } from '../transcription/join-text.ts'
import { internalError } from './errors.ts'
import { createEventQueue } from './event-queue.ts'
import { eventStream, type ServerEvent } from './event-stream.ts'
import { failureResponse, problemOf } from './failure.ts'
import { openAiErrorBody } from './openai-error.ts'
import { openAiDone } from './openai-schema.ts'
import { problemBody } from './problem.ts'
import type { Run } from './transcribe-stream.ts'

type OpenAiStreamOptions = {
  run: Run
  log: Log
  clientGone: AbortSignal
  shutdown: AbortSignal
  dispose: () => Promise<void>
}

/** Answers when the recording is decoded, so that one that cannot be gets a status of its own. */
export async function openAiStream(options: OpenAiStreamOptions): Promise<Response> {
  const { run, log, clientGone, shutdown, dispose } = options
  const left = new AbortController()
  const queue = createEventQueue()
  const decoded = Promise.withResolvers<null>()
  let told = ''
  const tell = (text: string) => {
    const joined = joinTexts([told, text])
    if (joined === told) return
    queue.push({ data: { type: 'transcript.text.delta', delta: joined.slice(told.length) } })
    told = joined
  }
  const result = run({
    signal: AbortSignal.any([clientGone, shutdown, left.signal]),
    onDecoded: () => decoded.resolve(null),
    onSegment: ({ text }) => tell(text),
  })
  const ended = result
    .then((heard) => lastEvent(heard))
    .catch((error): ServerEvent => ({ data: openAiErrorBody(problemBody(internalError(error, log))) }))
    .then((last) => {
      queue.push(last)
      queue.push({ data: '[DONE]' })
      queue.end()
    })
  const disposed = ended.then(dispose)

  const early = await Promise.race([decoded.promise, disposed.then(() => result)])
  if (early !== null && !early.ok) return failureResponse(early.failure)
  return eventStream(
    async function* (signal) {
      signal.addEventListener('abort', () => left.abort(), { once: true })
      yield* queue.events()
      await disposed
    },
    {
      signal: clientGone,
      shutdown,
      describeError: (error) => openAiErrorBody(problemBody(internalError(error, log))),
    },
  )
}

const lastEvent = (heard: Awaited<ReturnType<Run>>): ServerEvent =>
  heard.ok
    ? { data: openAiDone(heard.value satisfies Heard) }
    : { data: openAiErrorBody(problemBody(problemOf(heard.failure))) }
