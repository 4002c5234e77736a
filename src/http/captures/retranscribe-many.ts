// POST /captures/retranscribe: many captures are transcribed again, which goes on by itself.
// How far it is tells jobs/batches/get.ts; one capture is retranscribe.ts.

import { type Static, Type } from '@sinclair/typebox'
import type { Engine } from '../../engine/engine.ts'
import type { Retranscription } from '../../jobs/batch-work.ts'
import type { Batches } from '../../jobs/batches.ts'
import { nullable } from '../../lib/schema.ts'
import type { UsableModel } from '../../models/store.ts'
import { problemResponse } from '../contract/problem.ts'
import { defineRoute } from '../contract/route.ts'
import { strictObject, text } from '../contract/schema.ts'
import { languageField, parseLanguage } from '../fields/language.ts'
import { type FindsModels, findModel } from '../fields/model.ts'
import { promptField } from '../fields/prompt.ts'
import { warningsOf } from '../fields/warnings.ts'
import { BatchPlanSchema, wirePlan } from '../jobs/batches/schema.ts'
import { batchBegun, batchBegunResponse } from './batch-begun.ts'
import { meantFields, resolveMeant } from './meant.ts'

export type RetranscribeManyDeps = {
  batches: Batches
  models: FindsModels
  engine: Pick<Engine, 'info'>
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

export const retranscribeManyRoute = ({ batches, models, engine }: RetranscribeManyDeps) =>
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
      },
      resolve: async ({ body, json, faulty }) => {
        const { problems, found: which } = resolveMeant({ json })
        if (faulty.has('model')) return { problems }
        const { model: name = null, language } = body as Static<typeof RetranscribeManySchema>
        const asked = {
          model: name,
          language: parseLanguage(language ?? undefined),
          task: 'transcribe',
        } as const
        const model = await findModel(models, asked, { in: 'body', model: '/model' })
        return {
          problems: [...problems, model.ok ? null : model.failure],
          ...(which && { found: { which, model } }),
        }
      },
      responses: {
        200: {
          description: 'With `dry_run`: what it would do',
          content: {
            'application/json': {
              schema: BatchPlanSchema,
              example: {
                total: 120,
                to_do: 118,
                skipped: 2,
                audio_seconds: 5230.5,
                real_time_factor: 0.21,
                measured_with: 'this_model',
                estimate_seconds: 1099,
              },
            },
          },
        },
        202: batchBegun,
      },
      problems: ['unknown_model', 'unsupported_language', 'model_not_installed', 'model_unreadable'],
    },
    async (_request, { body, found: { which, model } }) => {
      if (!model.ok) return problemResponse(model.failure)
      const asked = retranscriptionOf(model.value, body)
      if (body.dry_run) return Response.json(wirePlan(await batches.plan(which, asked)))
      const batch = await batches.retranscribe(which, asked)
      return batchBegunResponse(batch, warningsOf(engine.info(), body))
    },
  )

/** One model for all of them, whatever is installed meanwhile. */
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
