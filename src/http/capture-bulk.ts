// POST /captures/retranscribe and /captures/delete: work on many captures at once, which goes on by itself.
// How far it is tells batches.ts; taking many captures out as files is capture-bulk-export.ts.

import { type Static, Type } from '@sinclair/typebox'
import { needsOf } from '../dictation/known-languages.ts'
import type { Engine } from '../engine/engine.ts'
import type { Batch, Retranscription } from '../jobs/batch.ts'
import type { Batches } from '../jobs/batches.ts'
import { fail, type Result, succeed } from '../lib/result.ts'
import { BatchPlanSchema, batchExample, wirePlan } from './batch-schema.ts'
import { captureExample } from './capture-schema.ts'
import { isObject, meantFields, whichOf, wrongInMeant } from './captures-meant.ts'
import { problemOf } from './failure.ts'
import { languageField, languageOf } from './language.ts'
import { checkModelFields, type FindsModels } from './model-fields.ts'
import { type Fault, invalidRequest, type Problem, problemResponse } from './problem.ts'
import { promptField } from './prompt-fields.ts'
import { defineRoute, type Route } from './route.ts'
import { nullable, strictObject, text, uuid } from './schema.ts'
import { warningExample, warningsField, warningsOf } from './warning.ts'

export type CaptureBulkDeps = {
  batches: Batches
  models: FindsModels
  engine: Pick<Engine, 'info'>
}

export const captureBulkRoutes = (deps: CaptureBulkDeps): Route[] => [
  retranscribeManyRoute(deps),
  deleteManyRoute(deps),
]

const BegunSchema = strictObject(
  {
    batch_id: uuid(),
    queued: Type.Integer({ minimum: 0, description: 'captures that are going to be worked on' }),
    skipped: Type.Integer({ minimum: 0, description: 'captures that need nothing, or are gone' }),
    status_url: Type.String({ description: 'where to ask how it goes' }),
    warnings: warningsField,
  },
  { $id: 'BatchBegun' },
)

const begun = {
  description: 'It is going on by itself, across restarts of the server too',
  headers: { Location: 'of the batch' },
  content: {
    'application/json': {
      schema: BegunSchema,
      example: {
        batch_id: batchExample.id,
        queued: 118,
        skipped: 2,
        status_url: `/jobs/batches/${batchExample.id}`,
        warnings: [warningExample],
      } satisfies Static<typeof BegunSchema>,
    },
  },
}

function begunResponse({ id, counts }: Batch, warnings: Static<typeof warningsField>): Response {
  const location = `/jobs/batches/${id}`
  const { waiting: queued, skipped } = counts
  const body: Static<typeof BegunSchema> = { batch_id: id, queued, skipped, status_url: location, warnings }
  return Response.json(body, { status: 202, headers: { location } })
}

const RetranscribeManySchema = strictObject(
  {
    ...meantFields,
    model: Type.Optional(
      nullable(text({ minLength: 1, maxLength: 100 }), {
        description: 'for all of them; null: the one that a new recording would be transcribed with now',
      }),
    ),
    language: Type.Optional(nullable(languageField, { description: 'null: as each capture was asked for' })),
    prompt: Type.Optional(nullable(promptField)),
    keep_refined: Type.Optional(
      Type.Boolean({ description: 'keep the refined texts on top of the new transcripts', default: false }),
    ),
    skip_if_same_model: Type.Optional(
      Type.Boolean({
        description:
          'pass over captures that this model has transcribed, in this language where one is given',
        default: false,
      }),
    ),
    key: Type.Optional(
      nullable(text({ minLength: 1, maxLength: 200 }), {
        description:
          'as long as a batch of this key runs, asking again joins it instead of beginning another',
      }),
    ),
    dry_run: Type.Optional(Type.Boolean({ description: 'only say what it would do', default: false })),
  },
  { $id: 'RetranscribeManyRequest' },
)

const retranscribeManyRoute = ({ batches, models, engine }: CaptureBulkDeps) =>
  defineRoute(
    {
      method: 'POST',
      path: '/captures/retranscribe',
      operationId: 'retranscribeCaptures',
      summary: 'Transcribe many captures again',
      description:
        'One after the other, so that dictations do not wait. Which captures a filter means is settled at once. A capture that is being worked on waits for its turn; one that is in the trash, or has lost its audio, is skipped. Earlier transcripts become versions.',
      tag: 'captures',
      body: {
        kind: 'json',
        schema: RetranscribeManySchema,
        example: { filter: { status: 'failed', since: '2026-01-31' }, model: 'base-q5_1' },
        alsoWrong: wrongInMeant,
      },
      lookUp: async ({ body, faulty }) => {
        const { model = null, language } = body as Static<typeof RetranscribeManySchema>
        if (faulty.has('model')) return []
        const asked = { model, language: languageOf(language ?? undefined), task: 'transcribe' } as const
        return [await checkModelFields(models, asked, { in: 'body', model: '/model' })]
      },
      responses: {
        200: {
          description: 'With `dry_run`: what it would do',
          content: {
            'application/json': {
              schema: BatchPlanSchema,
              example: {
                ...{ total: 120, to_do: 118, skipped: 2, audio_seconds: 5230.5 },
                ...{ real_time_factor: 0.21, measured_with: 'this_model', estimate_seconds: 1099 },
              },
            },
          },
        },
        202: begun,
      },
      problems: ['unknown_model', 'unsupported_language', 'model_not_installed', 'model_unreadable'],
    },
    async (_request, { body }) => {
      const which = whichOf(body)
      if (!which.ok) return problemResponse(invalidRequest(which.failure))
      const asked = await retranscriptionOf(models, body)
      if (!asked.ok) return problemResponse(asked.failure)
      if (body.dry_run) return Response.json(wirePlan(await batches.plan(which.value, asked.value)))
      const batch = await batches.retranscribe(which.value, asked.value)
      return begunResponse(batch, warningsOf(engine.info(), body))
    },
  )

async function retranscriptionOf(
  models: FindsModels,
  body: Static<typeof RetranscribeManySchema>,
): Promise<Result<Retranscription, Problem>> {
  const { model: name = null, language = null } = body
  const spoken = language === 'auto' ? null : language
  const problem = await checkModelFields(models, { model: name, language: spoken, task: 'transcribe' })
  if (problem !== null) return fail(problem)
  // One model for all of them, whatever is installed meanwhile.
  const model = await models.resolve(name, needsOf(spoken, 'transcribe'))
  if (!model.ok) return fail(problemOf(model.failure))
  return succeed({
    model: model.value.name,
    multilingual: model.value.multilingual,
    language,
    prompt: body.prompt ?? null,
    keepRefined: body.keep_refined ?? false,
    skipIfSameModel: body.skip_if_same_model ?? false,
    key: body.key ?? null,
  })
}

/** JSON leaves out what a client holds undefined, so that a slip becomes an empty filter; this cannot be taken back. */
function tooWide(value: unknown): Fault[] {
  const { filter } = Object(value) as { filter?: unknown }
  if (!isObject(filter)) return []
  const { trashed = false, tz: _narrowsNothing, ...narrowing } = filter
  return trashed !== false || Object.keys(narrowing).length > 0 ? [] : [TOO_WIDE]
}

const TOO_WIDE: Fault = {
  ...{ in: 'body', path: '/filter' },
  message: 'narrows nothing and would delete every capture; if that is meant, give since as 1970-01-01',
}

const DeleteManySchema = strictObject(meantFields, { $id: 'DeleteManyRequest' })

const deleteManyRoute = ({ batches }: CaptureBulkDeps) =>
  defineRoute(
    {
      method: 'POST',
      path: '/captures/delete',
      operationId: 'deleteCaptures',
      summary: 'Delete many captures',
      description:
        'For good, recordings and texts, one after the other. Which captures a filter means is settled at once; work on them is cancelled. A filter that narrows nothing is refused; to delete everything, say `{"filter": {"since": "1970-01-01"}}`.',
      tag: 'captures',
      body: {
        kind: 'json',
        schema: DeleteManySchema,
        example: { ids: [captureExample.id] },
        alsoWrong: (value) => [...wrongInMeant(value), ...tooWide(value)],
      },
      responses: { 202: begun },
    },
    async (_request, { body }) => {
      const which = whichOf(body)
      if (!which.ok) return problemResponse(invalidRequest(which.failure))
      return begunResponse(await batches.remove(which.value), [])
    },
  )
