import { type Static, Type } from '@sinclair/typebox'
import { captureNotFound } from '../../captures/not-found.ts'
import type { Engine } from '../../engine/engine.ts'
import { nullable } from '../../lib/schema.ts'
import { failureResponse } from '../contract/failure.ts'
import { problemResponse } from '../contract/problem.ts'
import { defineRoute } from '../contract/route.ts'
import { strictObject, text } from '../contract/schema.ts'
import { clipboardField } from '../fields/clipboard.ts'
import { languageField, parseLanguage } from '../fields/language.ts'
import { checkModelFields, type FindsModels } from '../fields/model.ts'
import { promptField } from '../fields/prompt.ts'
import { waitQuery } from '../fields/wait.ts'
import { warningsOf } from '../fields/warnings.ts'
import { captureParams } from './address.ts'
import { answerWhenDone, type JobAnswerDeps, jobResponses } from './job-answer.ts'

export type RetranscribeDeps = JobAnswerDeps & {
  models: FindsModels
  engine: Pick<Engine, 'info'>
}

const RetranscribeSchema = strictObject(
  {
    model: Type.Optional(
      nullable(text({ minLength: 1, maxLength: 100 }), { description: 'null: same as without this field' }),
    ),
    language: Type.Optional(
      nullable(languageField, { description: 'null: the language requested for the capture' }),
    ),
    prompt: Type.Optional(nullable(promptField)),
    clipboard: Type.Optional(nullable(clipboardField)),
    keep_refined: Type.Optional(
      Type.Boolean({ description: 'keep the refined text on top of the new transcript', default: false }),
    ),
  },
  { $id: 'RetranscribeRequest' },
)

const AT = { in: 'body', model: '/model' } as const

export const retranscribeCaptureRoute = (deps: RetranscribeDeps) =>
  defineRoute(
    {
      method: 'POST',
      path: '/captures/{id}/retranscribe',
      operationId: 'retranscribeCapture',
      summary: 'Transcribe a capture again',
      description:
        'Queues a job, waits for it (30 s unless `wait` says otherwise) and returns the capture. The earlier transcript stays in place until the new one is ready; then it becomes a version. If the job fails or is cancelled, nothing changes.',
      tag: 'captures',
      params: captureParams,
      query: waitQuery,
      body: {
        kind: 'json',
        schema: RetranscribeSchema,
        example: { model: 'tiny.en', language: 'en' },
        optional: true,
      },
      resolve: async ({ body, faulty }) => {
        const { model = null, language } = body as Static<typeof RetranscribeSchema>
        if (faulty.has('model') || (model === null && language === undefined)) return []
        const asked = { model, language: parseLanguage(language ?? undefined), task: 'transcribe' } as const
        return [await checkModelFields(deps.models, asked, AT)]
      },
      responses: jobResponses,
      problems: [
        'capture_not_found',
        'capture_busy',
        'capture_in_trash',
        'audio_gone',
        'queue_full',
        'disk_full',
        'unknown_model',
        'unsupported_language',
        'model_not_installed',
        'model_unreadable',
      ],
    },
    async (request, { params, query, body }) => {
      const { captures, models, engine } = deps
      const wanted: Static<typeof RetranscribeSchema> = body ?? {}
      const capture = await captures.get(params.id)
      if (capture === null) return failureResponse(captureNotFound(params.id))
      const asked = wanted.language ?? capture.language
      const language = asked === 'auto' ? null : asked
      // The capture's language may come from the settings of that time. It is only a preference: if the request names
      // neither a model nor a language, it rejects nothing.
      const isChosen = wanted.model != null || wanted.language != null
      const known = { model: wanted.model ?? null, language: isChosen ? language : null }
      const problem = await checkModelFields(models, { ...known, task: 'transcribe' }, AT)
      if (problem !== null) return problemResponse(problem)
      const queued = await captures.retranscribe(params.id, {
        model: wanted.model ?? null,
        language,
        prompt: wanted.prompt ?? null,
        keepRefined: wanted.keep_refined ?? false,
      })
      if (!queued.ok) return failureResponse(queued.failure)
      if (wanted.clipboard) deps.jobs.giveClipboard(queued.value.jobId, wanted.clipboard)
      const warnings = warningsOf(engine.info(), wanted)
      return answerWhenDone(deps, {
        request,
        wait: query.wait,
        captureId: params.id,
        ...queued.value,
        warnings,
      })
    },
  )
