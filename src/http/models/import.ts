import { Type } from '@sinclair/typebox'
import type { Engine } from '../../engine/engine.ts'
import { type ArrivedModel, importName, type ModelImport } from '../../models/model-import.ts'
import { failureResponse, problemOf } from '../contract/failure.ts'
import { formFields, receiveForm } from '../contract/form.ts'
import { invalidRequest, problemResponse } from '../contract/problem.ts'
import { defineRoute, type Route } from '../contract/route.ts'
import { strictObject, text } from '../contract/schema.ts'
import { foreignPageRefused } from '../server/foreign-page.ts'
import { modelMessage } from './schema.ts'

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
          content: {
            'application/json': {
              schema: ImportedSchema,
              example: { message: 'swiss-german was imported.', model_name: 'swiss-german' },
            },
          },
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
