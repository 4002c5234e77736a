import type { Log } from '../../lib/log.ts'
import { type DownloadState, isOver } from '../../models/download-state.ts'
import { findDownloadable } from '../../models/downloadable.ts'
import type { Downloads } from '../../models/downloads.ts'
import type { ModelStore } from '../../models/store.ts'
import { problemBody, problemResponse } from '../contract/problem.ts'
import { defineRoute } from '../contract/route.ts'
import { internalError } from '../server/errors.ts'
import { createEventQueue } from '../server/event-queue.ts'
import { eventStream, type StreamedEvent } from '../server/event-stream.ts'
import { modelParams, progressExample, wireComplete, wireProgress } from './schema.ts'

export type WatchDeps = {
  downloads: Pick<Downloads, 'find' | 'isOf' | 'watch'>
  models: Pick<ModelStore, 'find'>
  log: Log
  shutdown: AbortSignal
}

export const watchDownloadRoute = (deps: WatchDeps) =>
  defineRoute(
    {
      method: 'GET',
      path: '/models/progress/{name}',
      operationId: 'watchModelDownload',
      summary: 'Watch a download',
      description:
        'Streams unnamed server-sent events, each a DownloadProgress in JSON: the current state, then at most four events per second. The last event has the status `complete`, `error` or `canceled`. If no download is in progress, the stream waits for one to start.',
      tag: 'models',
      params: modelParams,
      responses: {
        200: {
          description: 'The events',
          content: { 'text/event-stream': { example: `data: ${JSON.stringify(progressExample)}\n\n` } },
        },
      },
      problems: ['model_not_found'],
    },
    async (request, { params: { name } }) => {
      const { downloads, models, log, shutdown } = deps
      if (!findDownloadable(name).ok && downloads.find(name) === null && (await models.find(name)) === null) {
        const detail = `There is no model ${JSON.stringify(name)}. GET /models/status lists the available models.`
        return problemResponse({ code: 'model_not_found', detail })
      }
      return eventStream((signal) => eventsOf(deps, name, signal), {
        signal: request.signal,
        shutdown,
        describeError: (error) => problemBody(internalError(error, log)),
      })
    },
  )

async function* eventsOf(
  { downloads, models }: WatchDeps,
  name: string,
  signal: AbortSignal,
): AsyncGenerator<StreamedEvent, void, undefined> {
  const queue = createEventQueue()
  const emit = (state: DownloadState) => {
    queue.push({ data: wireProgress(state, name) })
    if (isOver(state)) queue.end()
  }
  // Subscribe before reading the state, so that no change in between is missed.
  const stop = downloads.watch((state) => downloads.isOf(state, name) && emit(state))
  signal.addEventListener('abort', queue.end, { once: true })
  if (signal.aborted) queue.end()
  try {
    const now = downloads.find(name)
    const here = now === null ? await models.find(name) : null
    if (here !== null) {
      yield { data: wireComplete(name, here) }
      return
    }
    if (now !== null) emit(now)
    yield* queue.events()
  } finally {
    stop()
    signal.removeEventListener('abort', queue.end)
  }
}
