// POST /models/download and its cancel: models brought from the hub.
// Nothing is fetched that nobody asked for. Watching it is progress.ts; the work is src/models.

import type { Static } from '@sinclair/typebox'
import { oneOf } from '../../lib/schema.ts'
import type { Downloads } from '../../models/downloads.ts'
import { failureResponse } from '../contract/failure.ts'
import { problemResponse } from '../contract/problem.ts'
import { defineRoute } from '../contract/route.ts'
import { strictObject, text } from '../contract/schema.ts'
import { foreignPageRefused } from '../server/foreign-page.ts'
import { modelMessage, modelMessageContent } from './schema.ts'

export type DownloadRouteDeps = {
  downloads: Pick<Downloads, 'start' | 'cancel'>
}

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

export const downloadModelRoute = ({ downloads }: DownloadRouteDeps) =>
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
    async (request, { body, connection }) => {
      const refused = namesOwnSource(body.model_name)
        ? foreignPageRefused({ request, listening: connection }, 'say where models come from')
        : null
      if (refused) return problemResponse(refused)
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

/** A file of anybody's repository, and not of the catalogue. */
const namesOwnSource = (modelName: string): boolean => modelName.split('/').length > 2

export const cancelDownloadRoute = ({ downloads }: DownloadRouteDeps) =>
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
          content: modelMessageContent('The download of small-q5_1 was cancelled.', 'small-q5_1'),
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
