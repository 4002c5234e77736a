// What can be asked of the recogniser for a kept capture: transcribe again, cancel, and the earlier transcripts.
// The work itself is a job; here it is only queued and waited for.

import { type Static, Type } from '@sinclair/typebox'
import type { Engine } from '../engine/engine.ts'
import {
  CaptureDetailSchema,
  CaptureVersionSchema,
  captureExample,
  segmentExample,
  wireCaptureDetail,
  wireCaptureVersion,
} from './capture-schema.ts'
import { captureNotFound, captureParams } from './captures.ts'
import { clipboardField } from './clipboard.ts'
import { failureResponse } from './failure.ts'
import { answerWhenDone, type JobAnswerDeps, jobResponses } from './job-answer.ts'
import { languageField, languageOf } from './language.ts'
import { checkModelFields, type FindsModels } from './model-fields.ts'
import { problemResponse } from './problem.ts'
import { promptField } from './prompt-fields.ts'
import { defineRoute, type Route } from './route.ts'
import { listOf, nullable, strictObject, text } from './schema.ts'
import { waitQuery } from './wait.ts'
import { warningsOf } from './warning.ts'

export type CaptureWorkDeps = JobAnswerDeps & {
  models: FindsModels
  engine: Pick<Engine, 'info'>
}

export const captureWorkRoutes = (deps: CaptureWorkDeps): Route[] => [
  retranscribeRoute(deps),
  cancelRoute(deps),
  versionsRoute(deps),
]

const detail = {
  'application/json': {
    schema: CaptureDetailSchema,
    example: { ...captureExample, segments: [segmentExample] },
  },
}

const RetranscribeSchema = strictObject(
  {
    model: Type.Optional(
      nullable(text({ minLength: 1, maxLength: 100 }), { description: 'null: as where none is named' }),
    ),
    language: Type.Optional(nullable(languageField, { description: 'null: as the capture was asked for' })),
    prompt: Type.Optional(nullable(promptField)),
    clipboard: Type.Optional(nullable(clipboardField)),
    keep_refined: Type.Optional(
      Type.Boolean({ description: 'keep the refined text on top of the new transcript', default: false }),
    ),
  },
  { $id: 'RetranscribeRequest' },
)

const AT = { in: 'body', model: '/model' } as const

const retranscribeRoute = (deps: CaptureWorkDeps) =>
  defineRoute(
    {
      method: 'POST',
      path: '/captures/{id}/retranscribe',
      operationId: 'retranscribeCapture',
      summary: 'Transcribe a capture again',
      description:
        'Queues a job, waits for it (30 s unless `wait` says otherwise) and answers with the capture. The earlier transcript stays until the new one is there, and becomes a version then. When the job fails or is cancelled nothing changes.',
      tag: 'captures',
      params: captureParams,
      query: waitQuery,
      body: {
        kind: 'json',
        schema: RetranscribeSchema,
        example: { model: 'tiny.en', language: 'en' },
        optional: true,
      },
      lookUp: async ({ body, faulty }) => {
        const { model = null, language } = body as Static<typeof RetranscribeSchema>
        if (faulty.has('model') || (model === null && language === undefined)) return []
        const asked = { model, language: languageOf(language ?? undefined), task: 'transcribe' } as const
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
      if (capture === null) return problemResponse(captureNotFound(params.id))
      const asked = wanted.language ?? capture.language
      const language = asked === 'auto' ? null : asked
      // A language that comes from the settings of then is a wish: without a choice of model it refuses nothing.
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

const cancelRoute = ({ captures }: CaptureWorkDeps) =>
  defineRoute(
    {
      method: 'POST',
      path: '/captures/{id}/cancel',
      operationId: 'cancelCapture',
      summary: 'Cancel the work on a capture',
      description:
        'Stops the waiting or running job. The recording stays, and so does an earlier transcript.',
      tag: 'captures',
      params: captureParams,
      responses: { 200: { description: 'The capture; no text will come any more', content: detail } },
      problems: ['capture_not_found', 'capture_not_busy', 'disk_full'],
    },
    async (_request, { params }) => {
      const cancelled = await captures.cancel(params.id)
      const capture = await captures.get(params.id)
      if (capture === null) return problemResponse(captureNotFound(params.id))
      if (cancelled !== null) return Response.json(wireCaptureDetail(capture))
      const detail = 'No job waits or runs for this capture.'
      return problemResponse({ code: 'capture_not_busy', detail })
    },
  )

const versionsRoute = ({ captures }: CaptureWorkDeps) =>
  defineRoute(
    {
      method: 'GET',
      path: '/captures/{id}/versions',
      operationId: 'listCaptureVersions',
      summary: 'List earlier transcripts',
      description: 'Oldest first; the present one is the capture itself.',
      tag: 'captures',
      params: captureParams,
      responses: {
        200: {
          description: 'The transcripts that were replaced',
          content: {
            'application/json': {
              schema: listOf(CaptureVersionSchema, { $id: 'CaptureVersionList' }),
              example: { items: [], total: 0 },
            },
          },
        },
      },
      problems: ['capture_not_found'],
    },
    async (_request, { params }) => {
      const versions = await captures.versions(params.id)
      if (versions === null) return problemResponse(captureNotFound(params.id))
      return Response.json({ items: versions.map(wireCaptureVersion), total: versions.length })
    },
  )
