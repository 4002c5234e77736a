import { type Static, Type } from '@sinclair/typebox'
import { BUNDLED_MODELS } from '../../../models/catalogue.ts'
import type { ModelStore } from '../../../models/store.ts'
import { problemResponse } from '../../kernel/problem.ts'
import { defineRoute, jsonContent, ok, type Route } from '../../kernel/route.ts'
import { strictObject, text } from '../../kernel/schema.ts'
import { ANY_MODEL, meantModel } from './fields.ts'

const ModelSchema = strictObject(
  {
    id: Type.String({ description: 'value for `model`' }),
    object: Type.Literal('model'),
    created: Type.Integer({ description: 'release date of Whisper, in seconds since 1970' }),
    owned_by: Type.String(),
  },
  { $id: 'OpenAiModel' },
)

const ModelListSchema = strictObject(
  { object: Type.Literal('list'), data: Type.Array(ModelSchema) },
  { $id: 'OpenAiModelList' },
)

/** 2022-09-21. Model files contain no date. */
const WHISPER_PUBLISHED = Date.UTC(2022, 8, 21) / 1000

const modelOf = (id: string): Static<typeof ModelSchema> => ({
  id,
  object: 'model',
  created: WHISPER_PUBLISHED,
  owned_by: 'local',
})

export type OpenAiModelsDeps = { models: Pick<ModelStore, 'status' | 'resolve'> }

async function installed({ models }: OpenAiModelsDeps): Promise<string[]> {
  const status = await models.status(null)
  return [ANY_MODEL, ...status.filter(({ downloaded }) => downloaded).map(({ name }) => name)]
}

export const openAiModelRoutes = (deps: OpenAiModelsDeps): Route[] => [listRoute(deps), getRoute(deps)]

const listRoute = (deps: OpenAiModelsDeps) =>
  defineRoute(
    {
      method: 'GET',
      path: '/v1/models',
      operationId: 'listOpenAiModels',
      summary: "List the installed models in OpenAI's format",
      description: '`whisper-1` is the preferred model.',
      tag: 'compatibility',
      responses: ok(
        'The models',
        jsonContent(ModelListSchema, { object: 'list', data: [ANY_MODEL, ...BUNDLED_MODELS].map(modelOf) }),
      ),
    },
    async () => Response.json({ object: 'list', data: (await installed(deps)).map(modelOf) }),
  )

const getRoute = (deps: OpenAiModelsDeps) =>
  defineRoute(
    {
      method: 'GET',
      path: '/v1/models/{model}',
      operationId: 'getOpenAiModel',
      summary: "Get one installed model in OpenAI's format",
      description:
        'Accepts every name that `model` accepts: the names in the list, OpenAI’s own, and short ones such as `tiny.en`.',
      tag: 'compatibility',
      params: strictObject({ model: text({ minLength: 1, maxLength: 100 }) }),
      responses: ok('The model', jsonContent(ModelSchema, modelOf(ANY_MODEL))),
      problems: ['model_not_found'],
    },
    async (_request, { params }) => {
      const meant = await meantModel(deps.models, params.model)
      const found = meant === null ? null : await deps.models.resolve(meant)
      if (found === null || found.ok) return Response.json(modelOf(params.model))
      const detail = `${found.failure.message} GET /v1/models lists the installed models.`
      return problemResponse({ code: 'model_not_found', detail })
    },
  )
