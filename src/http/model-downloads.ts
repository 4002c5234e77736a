// POST /models/download, its cancel and its progress: models brought from the hub.
// The work is models/; here it is asked for and watched. Nothing is fetched that nobody asked for.

import type { Static } from '@sinclair/typebox'
import type { Log } from '../lib/log.ts'
import { type DownloadState, isOver } from '../models/download-state.ts'
import { findDownloadable } from '../models/downloadable.ts'
import type { Downloads } from '../models/downloads.ts'
import type { ModelStore } from '../models/store.ts'
import { internalError } from './errors.ts'
import { createEventQueue } from './event-queue.ts'
import { eventStream, type ServerEvent } from './event-stream.ts'
import { failureResponse } from './failure.ts'
import {
  MessageSchema,
  modelMessage,
  modelParams,
  progressExample,
  wireComplete,
  wireProgress,
} from './model-schema.ts'
import { problemBody, problemResponse } from './problem.ts'
import { defineRoute, type Route } from './route.ts'
import { oneOf, strictObject, text } from './schema.ts'

export type DownloadRouteDeps = {
  downloads: Pick<Downloads, 'start' | 'cancel' | 'find' | 'isOf' | 'watch'>
  models: Pick<ModelStore, 'find'>
  log: Log
  shutdown: AbortSignal
}

export const modelDownloadRoutes = (deps: DownloadRouteDeps): Route[] => [
  startRoute(deps),
  cancelRoute(deps),
  progressRoute(deps),
]

const RequestSchema = strictObject(
  {
    model_name: text({
      description:
        'such as `base`, `whisper-turbo` or `small-q5_1`, or any ggml file of the hub by its full name: `owner/repository/ggml-name.bin`',
      minLength: 1,
      maxLength: 300,
    }),
  },
  { $id: 'ModelRequest' },
)

const body = { kind: 'json', schema: RequestSchema, example: { model_name: 'small-q5_1' } } as const

const StartedSchema = modelMessage(
  {
    status: oneOf(['started', 'joined', 'already_here'], {
      description: '`joined`: it was under way already',
    }),
    progress_url: text({ description: 'where to watch it' }),
  },
  'DownloadStarted',
)

const startedContent = (example: Static<typeof StartedSchema>) => ({
  'application/json': { schema: StartedSchema, example },
})

const startRoute = ({ downloads }: DownloadRouteDeps) =>
  defineRoute(
    {
      method: 'POST',
      path: '/models/download',
      operationId: 'downloadModel',
      summary: 'Download a model',
      description:
        'Begins and answers at once. A model is downloaded once, however often it is asked for; what was interrupted goes on where it stopped. The file gets its name when its SHA-256 is right. This is the only thing besides the configured language model and webhook that makes the server go out, and it goes to the hub alone (`model_base_url`, HF_ENDPOINT).',
      tag: 'models',
      body,
      responses: {
        200: {
          description: 'It is here already',
          content: startedContent({
            message: 'base-q5_1 is here already.',
            model_name: 'base-q5_1',
            status: 'already_here',
            progress_url: '/models/progress/base-q5_1',
          }),
        },
        202: {
          description: 'It is on its way',
          content: startedContent({
            message: 'The download of small-q5_1 has started.',
            model_name: 'small-q5_1',
            status: 'started',
            progress_url: '/models/progress/small-q5_1',
          }),
        },
      },
      problems: [
        'unknown_model',
        'model_too_large',
        'model_unreadable',
        'model_folder_busy',
        'folder_not_writable',
        'disk_full',
      ],
    },
    async (_request, { body }) => {
      const started = await downloads.start(body.model_name)
      if (!started.ok) return failureResponse(started.failure)
      const { outcome, name } = started.value
      const messages = {
        started: `The download of ${name} has started.`,
        joined: `The download of ${name} is under way already.`,
        already_here: `${name} is here already.`,
      }
      const answer = {
        message: messages[outcome],
        model_name: name,
        status: outcome,
        progress_url: `/models/progress/${encodeURIComponent(name)}`,
      }
      return Response.json(answer, { status: outcome === 'already_here' ? 200 : 202 })
    },
  )

const cancelRoute = ({ downloads }: DownloadRouteDeps) =>
  defineRoute(
    {
      method: 'POST',
      path: '/models/download/cancel',
      operationId: 'cancelModelDownload',
      summary: 'Cancel a download',
      description:
        'Ends the transfer and removes what had arrived. Answers 200 also where there was nothing to cancel, as clients expect.',
      tag: 'models',
      body,
      responses: {
        200: {
          description: 'No download of this model is under way now',
          content: {
            'application/json': {
              schema: MessageSchema,
              example: { message: 'The download of small-q5_1 was cancelled.', model_name: 'small-q5_1' },
            },
          },
        },
      },
    },
    async (_request, { body: { model_name } }) => {
      const cancelled = await downloads.cancel(model_name)
      const message = cancelled
        ? `The download of ${model_name} was cancelled.`
        : `No download of ${model_name} was under way.`
      return Response.json({ message, model_name })
    },
  )

const progressRoute = (deps: DownloadRouteDeps) =>
  defineRoute(
    {
      method: 'GET',
      path: '/models/progress/{name}',
      operationId: 'watchModelDownload',
      summary: 'Watch a download',
      description:
        'Server-sent events without a name, each a DownloadProgress in JSON: the state now, then at most four a second, the last one with the status `complete`, `error` or `canceled`. Where nothing is under way the stream waits for a download to begin.',
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
        const detail = `There is no model ${JSON.stringify(name)}; GET /models/status lists what there is.`
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
  { downloads, models }: DownloadRouteDeps,
  name: string,
  signal: AbortSignal,
): AsyncGenerator<ServerEvent, void, undefined> {
  const queue = createEventQueue()
  const tell = (state: DownloadState) => {
    queue.push({ data: wireProgress(state, name) })
    if (isOver(state)) queue.end()
  }
  // Before looking, so that nothing falls between the two.
  const stop = downloads.watch((state) => downloads.isOf(state, name) && tell(state))
  signal.addEventListener('abort', queue.end, { once: true })
  if (signal.aborted) queue.end()
  try {
    const now = downloads.find(name)
    const here = now === null ? await models.find(name) : null
    if (here !== null) {
      yield { data: wireComplete(name, here) }
      return
    }
    if (now !== null) tell(now)
    yield* queue.events()
  } finally {
    stop()
    signal.removeEventListener('abort', queue.end)
  }
}
