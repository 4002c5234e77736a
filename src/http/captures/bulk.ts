import { type Static, Type } from '@sinclair/typebox'
import type { Engine } from '../../engine/engine.ts'
import type { Retranscription } from '../../jobs/batch-work.ts'
import type { Batch, Batches } from '../../jobs/batches.ts'
import { nullable, uuid } from '../../lib/schema.ts'
import type { UsableModel } from '../../models/store.ts'
import { type FindsModels, findModel, languageField, parseLanguage, promptField } from '../fields/fields.ts'
import { warningExample, warningsField, warningsOf } from '../fields/segment.ts'
import { BatchPlanSchema, batchExample, wirePlan } from '../jobs/batches.ts'
import { type Fault, problemResponse } from '../kernel/problem.ts'
import { defineRoute, jsonContent } from '../kernel/route.ts'
import { strictObject, text } from '../kernel/schema.ts'
import { captureExample, resolveSelection, selectionFields } from './schema.ts'

export const BatchStartedSchema = strictObject(
  {
    batch_id: uuid(),
    queued: Type.Integer({ minimum: 0, description: 'captures that will be processed' }),
    skipped: Type.Integer({ minimum: 0, description: 'captures that need no work or no longer exist' }),
    status_url: Type.String({ description: 'URL that reports the progress' }),
    warnings: warningsField,
  },
  { $id: 'BatchBegun' },
)

const batchStarted = {
  description: 'The work runs in the background and continues after a restart of the server',
  headers: { Location: 'URL of the batch' },
  content: jsonContent(BatchStartedSchema, {
    batch_id: batchExample.id,
    queued: 118,
    skipped: 2,
    status_url: `/jobs/batches/${batchExample.id}`,
    warnings: [warningExample],
  } satisfies Static<typeof BatchStartedSchema>),
}

function batchStartedResponse({ id, counts }: Batch, warnings: Static<typeof warningsField>): Response {
  const location = `/jobs/batches/${id}`
  const { waiting: queued, skipped } = counts
  const body: Static<typeof BatchStartedSchema> = {
    batch_id: id,
    queued,
    skipped,
    status_url: location,
    warnings,
  }
  return Response.json(body, { status: 202, headers: { location } })
}

/** `JSON.stringify` omits undefined values, so a bug in a client can send an empty filter; deletion is final. */
function tooWide(filter: Record<string, unknown>): Fault[] {
  const { trashed = false, tz: _narrowsNothing, ...narrowing } = filter
  return trashed !== false || Object.keys(narrowing).length > 0 ? [] : [TOO_WIDE]
}

const TOO_WIDE: Fault = {
  in: 'body',
  path: '/filter',
  message: 'has no conditions, so it matches every capture; to delete all of them, set since to 1970-01-01',
}

const DeleteManySchema = strictObject(selectionFields, { $id: 'DeleteManyRequest' })

export const deleteManyRoute = ({ batches }: { batches: Batches }) =>
  defineRoute(
    {
      method: 'POST',
      path: '/captures/delete',
      operationId: 'deleteCaptures',
      summary: 'Delete many captures',
      description:
        'Permanently deletes recordings and texts, one capture after another. The filter is evaluated once, when the request arrives. Jobs of these captures are cancelled. A filter without conditions is rejected; to delete everything, send `{"filter": {"since": "1970-01-01"}}`.',
      tag: 'captures',
      body: {
        kind: 'json',
        schema: DeleteManySchema,
        example: { ids: [captureExample.id] },
      },
      resolve: (sent) => resolveSelection(sent, tooWide),
      responses: { 202: batchStarted },
    },
    async (_request, { found: which }) => batchStartedResponse(await batches.remove(which), []),
  )

export type RetranscribeManyDeps = {
  batches: Batches
  models: FindsModels
  engine: Pick<Engine, 'info'>
}

const RetranscribeManySchema = strictObject(
  {
    ...selectionFields,
    model: Type.Optional(
      nullable(text({ minLength: 1, maxLength: 100 }), {
        description: 'model for all captures; null: the one that would transcribe a new recording now',
      }),
    ),
    language: Type.Optional(
      nullable(languageField, { description: 'null: the language requested for each capture' }),
    ),
    prompt: Type.Optional(nullable(promptField)),
    keep_refined: Type.Optional(
      Type.Boolean({ description: 'keep the refined texts on top of the new transcripts', default: false }),
    ),
    skip_if_same_model: Type.Optional(
      Type.Boolean({
        description:
          'skip captures that this model has already transcribed (in this language, if one is given)',
        default: false,
      }),
    ),
    key: Type.Optional(
      nullable(text({ minLength: 1, maxLength: 200 }), {
        description:
          'while a batch with this key runs, another request with the key joins it instead of starting a new one',
      }),
    ),
    dry_run: Type.Optional(
      Type.Boolean({ description: 'only report what the request would do', default: false }),
    ),
  },
  { $id: 'RetranscribeManyRequest' },
)

export const retranscribeManyRoute = ({ batches, models, engine }: RetranscribeManyDeps) =>
  defineRoute(
    {
      method: 'POST',
      path: '/captures/retranscribe',
      operationId: 'retranscribeCaptures',
      summary: 'Transcribe many captures again',
      description:
        'Transcribes the captures one after another, so that dictations do not have to wait. The filter is evaluated once, when the request arrives. A capture with a job in progress is processed after that job. Captures in the trash or without audio are skipped. Earlier transcripts become versions.',
      tag: 'captures',
      body: {
        kind: 'json',
        schema: RetranscribeManySchema,
        example: { filter: { status: 'failed', since: '2026-01-31' }, model: 'base-q5_1' },
      },
      resolve: async ({ body, json, faulty }) => {
        const { problems, found: which } = resolveSelection({ json })
        if (faulty.has('model')) return { problems }
        const { model: name = null, language } = body as Static<typeof RetranscribeManySchema>
        const requested = {
          model: name,
          language: parseLanguage(language ?? undefined),
          task: 'transcribe',
        } as const
        const model = await findModel(models, requested, { in: 'body', model: '/model' })
        return {
          problems: [...problems, model.ok ? null : model.failure],
          ...(which && { found: { which, model } }),
        }
      },
      responses: {
        200: {
          description: 'With `dry_run`: what the request would do',
          content: jsonContent(BatchPlanSchema, {
            total: 120,
            to_do: 118,
            skipped: 2,
            audio_seconds: 5230.5,
            real_time_factor: 0.21,
            measured_with: 'this_model',
            estimate_seconds: 1099,
          }),
        },
        202: batchStarted,
      },
      problems: ['unknown_model', 'unsupported_language', 'model_not_installed', 'model_unreadable'],
    },
    async (_request, { body, found: { which, model } }) => {
      if (!model.ok) return problemResponse(model.failure)
      const requested = retranscriptionOf(model.value, body)
      if (body.dry_run) return Response.json(wirePlan(await batches.plan(which, requested)))
      const batch = await batches.retranscribe(which, requested)
      return batchStartedResponse(batch, warningsOf(engine.info(), body))
    },
  )

/** The batch keeps this model, even if another one is installed meanwhile. */
const retranscriptionOf = (
  { name, multilingual }: UsableModel,
  body: Static<typeof RetranscribeManySchema>,
): Retranscription => ({
  model: name,
  multilingual,
  language: body.language ?? null,
  prompt: body.prompt ?? null,
  keepRefined: body.keep_refined ?? false,
  skipIfSameModel: body.skip_if_same_model ?? false,
  key: body.key ?? null,
})
