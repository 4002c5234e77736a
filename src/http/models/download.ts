import { type Static, Type } from '@sinclair/typebox'
import type { Engine } from '../../engine/engine.ts'
import { oneOf } from '../../lib/schema.ts'
import type { Downloads } from '../../models/downloads.ts'
import { type ArrivedModel, importName, type ModelImport } from '../../models/model-import.ts'
import { formFields, receiveForm } from '../kernel/form.ts'
import { failureResponse, invalidRequest, problemOf, problemResponse } from '../kernel/problem.ts'
import { defineRoute, jsonContent, ok, type Route } from '../kernel/route.ts'
import { strictObject, text } from '../kernel/schema.ts'
import { foreignPageRefused } from '../server/guard.ts'
import { modelMessage, modelMessageContent } from './schema.ts'

export type DownloadRouteDeps = {
  downloads: Pick<Downloads, 'start' | 'cancel'>
}

const RequestSchema = strictObject(
  {
    model_name: text({
      description:
        'such as `base`, `whisper-turbo` or `small-q5_1`, or the full name of any ggml file on the hub: `owner/repository/ggml-name.bin`',
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
      description: '`joined`: the download was already in progress',
    }),
    progress_url: text({ description: 'URL that streams the progress' }),
  },
  'DownloadStarted',
)

const startedContent = (example: Static<typeof StartedSchema>) => jsonContent(StartedSchema, example)

export const downloadModelRoute = ({ downloads }: DownloadRouteDeps) =>
  defineRoute(
    {
      method: 'POST',
      path: '/models/download',
      operationId: 'downloadModel',
      summary: 'Download a model',
      description:
        'Starts the download and returns immediately. Repeated requests join the running download; an interrupted download resumes where it stopped. The file gets its final name after its SHA-256 has been verified. Besides the configured language model and webhook, this is the only operation that makes the server connect to the internet, and it connects only to the hub (`model_base_url`, HF_ENDPOINT).',
      tag: 'models',
      body,
      responses: {
        200: {
          description: 'The model is already installed',
          content: startedContent({
            message: 'base-q5_1 is already installed.',
            model_name: 'base-q5_1',
            status: 'already_here',
            progress_url: '/models/progress/base-q5_1',
          }),
        },
        202: {
          description: 'The download is in progress',
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
        ? foreignPageRefused({ request, listening: connection }, 'choose where models come from')
        : null
      if (refused) return problemResponse(refused)
      const started = await downloads.start(body.model_name)
      if (!started.ok) return failureResponse(started.failure)
      const { outcome, name } = started.value
      const messages = {
        started: `The download of ${name} has started.`,
        joined: `The download of ${name} is already in progress.`,
        already_here: `${name} is already installed.`,
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

/** True for `owner/repository/file`, a file in any repository instead of the catalogue. */
const namesOwnSource = (modelName: string): boolean => modelName.split('/').length > 2

export const cancelDownloadRoute = ({ downloads }: DownloadRouteDeps) =>
  defineRoute(
    {
      method: 'POST',
      path: '/models/download/cancel',
      operationId: 'cancelModelDownload',
      summary: 'Cancel a download',
      description:
        'Stops the transfer and removes the partial file. Returns 200 even if there was nothing to cancel, as clients expect.',
      tag: 'models',
      body,
      responses: ok(
        'No download of this model is in progress',
        modelMessageContent('The download of small-q5_1 was cancelled.', 'small-q5_1'),
      ),
    },
    async (_request, { body: { model_name } }) => {
      const cancelled = await downloads.cancel(model_name)
      const message = cancelled
        ? `The download of ${model_name} was cancelled.`
        : `No download of ${model_name} was in progress.`
      return Response.json({ message, model_name })
    },
  )

export type ModelImportDeps = {
  engine: Pick<Engine, 'info'>
  modelImport: ModelImport
}

const fields = strictObject({
  name: Type.Optional(
    text({
      description: 'name of the model; default: the file name. A published file keeps its own name',
      pattern: '^[a-z0-9][a-z0-9._-]{0,99}$',
    }),
  ),
})

const checkedFields = formFields(fields)

const ImportedSchema = modelMessage({}, 'ModelImported')

export const modelImportRoute = ({ engine, modelImport }: ModelImportDeps): Route =>
  defineRoute(
    {
      method: 'POST',
      path: '/models/import',
      operationId: 'importModel',
      summary: 'Import a model file',
      description:
        'Accepts a Whisper model in the ggml format of whisper.cpp. The server checks its header, tensors and length, and recognises a model of the catalogue by its SHA-256.',
      tag: 'models',
      body: { kind: 'form', fields, file: { description: 'the model file', audio: false } },
      responses: {
        201: {
          description: 'The model can be requested by its `model_name`',
          content: jsonContent(ImportedSchema, {
            message: 'swiss-german was imported.',
            model_name: 'swiss-german',
          }),
        },
      },
      problems: ['invalid_model', 'model_exists', 'model_folder_busy', 'folder_not_writable'],
    },
    async (request, { connection }) => {
      const refused = foreignPageRefused({ request, listening: connection }, 'import a model')
      if (refused) return problemResponse(refused)
      const form = await receiveForm<typeof fields, ArrivedModel>({
        request,
        connection,
        fields: checkedFields,
        maxFileBytes: engine.info().maxModelBytes,
        async store({ body }) {
          const declared = Number(request.headers.get('content-length') ?? 0)
          const received = await modelImport.receive(body, declared)
          return received.ok ? received : { ok: false, failure: problemOf(received.failure) }
        },
        discard: modelImport.discard,
      })
      if (!form.ok) return problemResponse(form.failure)
      const { stored, fields: given, fileName } = form.value
      const name = given.name ?? importName(fileName)
      if (name === null) {
        await modelImport.discard(stored)
        const message = 'is required, because the uploaded file has no usable name'
        return problemResponse(invalidRequest([{ in: 'form', path: '/name', message }]))
      }
      const admitted = await modelImport.admit(stored, name)
      if (!admitted.ok) return failureResponse(admitted.failure)
      const answer = { message: `${admitted.value} was imported.`, model_name: admitted.value }
      return Response.json(answer, { status: 201 })
    },
  )
