// GET /models/status: the models a client can ask for, and which of them are here.
// Field names are Voicebox's where it has them.

import { type Static, Type } from '@sinclair/typebox'
import type { Engine } from '../engine/engine.ts'
import { betterModelHint } from '../models/how-to-install.ts'
import type { ModelStatus } from '../models/model-status.ts'
import { defineRoute, type Route } from './route.ts'
import { nullable, strictObject } from './schema.ts'

export type ModelsDeps = {
  engine: Pick<Engine, 'health'>
  models: { status(loadedModel: string | null): Promise<ModelStatus[]> }
}

const maybe = (description: string) => nullable(Type.String(), { description })
const maybeMb = (description: string) => nullable(Type.Integer({ minimum: 0 }), { description })

const ModelSchema = strictObject(
  {
    model_name: Type.String({ description: 'what `model` takes' }),
    display_name: Type.String(),
    size: maybe("null for a file of the user's own"),
    hf_repo_id: maybe('where it is published'),
    file: Type.String({ description: 'its name in the models folder' }),
    downloaded: Type.Boolean(),
    downloading: Type.Boolean(),
    progress: nullable(Type.Number({ minimum: 0, maximum: 1 }), { description: 'of a download' }),
    size_mb: maybeMb('on this disk'),
    expected_size_mb: maybeMb('as published'),
    loaded: Type.Boolean(),
    multilingual: nullable(Type.Boolean(), { description: 'null where only loading it would tell' }),
    quantization: maybe('null for one of full precision'),
    sha256: maybe('of the file as published'),
    recommended: Type.Boolean(),
    bundled: Type.Boolean({ description: 'comes with the server' }),
  },
  { $id: 'Model' },
)

const ModelsSchema = strictObject(
  {
    models: Type.Array(ModelSchema),
    hint: nullable(Type.String(), { description: 'what would make the transcripts better' }),
  },
  { $id: 'ModelsStatus' },
)

export const modelRoutes = ({ engine, models }: ModelsDeps): Route[] => [
  defineRoute(
    {
      method: 'GET',
      path: '/models/status',
      operationId: 'getModelsStatus',
      summary: 'List the models',
      description: "Every model of the catalogue, and the files of the user's own in the models folder.",
      tag: 'models',
      responses: {
        200: {
          description: 'The models',
          content: {
            'application/json': {
              schema: ModelsSchema,
              example: { models: [example], hint: betterModelHint([]) },
            },
          },
        },
      },
    },
    async () => {
      const all = await models.status(engine.health().loadedModel)
      const installed = all.filter((model) => model.downloaded).map((model) => model.name)
      return Response.json({ models: all.map(wireModel), hint: betterModelHint(installed) })
    },
  ),
]

const wireModel = (model: ModelStatus): Static<typeof ModelSchema> => ({
  model_name: model.name,
  display_name: model.displayName,
  size: model.size,
  hf_repo_id: model.repository,
  file: model.file,
  downloaded: model.downloaded,
  downloading: false,
  progress: null,
  size_mb: model.sizeMb,
  expected_size_mb: model.expectedSizeMb,
  loaded: model.loaded,
  multilingual: model.multilingual,
  quantization: model.quantization,
  sha256: model.sha256,
  recommended: model.recommended,
  bundled: model.bundled,
})

const example: Static<typeof ModelSchema> = {
  model_name: 'tiny.en-q5_1',
  display_name: 'Tiny English (q5_1)',
  size: 'tiny',
  hf_repo_id: 'ggerganov/whisper.cpp',
  file: 'ggml-tiny.en-q5_1.bin',
  downloaded: true,
  downloading: false,
  progress: null,
  size_mb: 32,
  expected_size_mb: 32,
  loaded: true,
  multilingual: false,
  quantization: 'q5_1',
  sha256: 'c77c5766f1cef09b6b7d47f21b546cbddd4157886b3b5d6d4f709e91e66c7c2b',
  recommended: false,
  bundled: true,
}
