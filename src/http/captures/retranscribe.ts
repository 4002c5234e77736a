import { type Static, Type } from '@sinclair/typebox'
import { captureNotFound } from '../../captures/capture.ts'
import type { Captures } from '../../captures/captures.ts'
import type { Engine } from '../../engine/engine.ts'
import type { Jobs } from '../../jobs/jobs.ts'
import { nullable, uuid } from '../../lib/schema.ts'
import { uniqueWarnings, type Warning } from '../../lib/warning.ts'
import type { Settings } from '../../settings/settings.ts'
import type { WritingStyles } from '../../writing/styles.ts'
import {
  checkModelFields,
  clipboardField,
  type FindsModels,
  languageField,
  parseLanguage,
  promptField,
  styleFault,
  timeoutMsOf,
  waitQuery,
} from '../fields/fields.ts'
import { warningExample, warningsField, warningsOf } from '../fields/segment.ts'
import { failureResponse, problemResponse } from '../kernel/problem.ts'
import { defineRoute, jsonContent, type ResponseContract, type Route } from '../kernel/route.ts'
import { strictObject, text } from '../kernel/schema.ts'
import {
  captureExample,
  captureParams,
  RetranscribedCaptureSchema,
  segmentExample,
  wireCaptureDetail,
} from './schema.ts'

export const QueuedSchema = strictObject(
  {
    job_id: uuid(),
    status_url: Type.String({ description: 'URL that reports the progress' }),
    warnings: warningsField,
  },
  { $id: 'QueuedJob' },
)

const jobResponses: Record<number, ResponseContract> = {
  200: {
    description: 'The job has ended; the body is the capture as it is now',
    content: jsonContent(RetranscribedCaptureSchema, {
      ...captureExample,
      segments: [segmentExample],
      warnings: [warningExample],
    }),
  },
  202: {
    description: 'The job is still waiting or running',
    headers: { Location: 'URL of the job' },
    content: jsonContent(QueuedSchema, {
      job_id: captureExample.id,
      status_url: `/jobs/${captureExample.id}`,
      warnings: [warningExample],
    }),
  },
}

const DEFAULT_WAIT_MS = 30_000

export type JobAnswerDeps = {
  captures: Captures
  jobs: Jobs
  /** ends the wait when the server stops; the job continues after the next start */
  shutdown: AbortSignal
}

type Queued = {
  request: Request
  wait: Static<typeof waitQuery>['wait']
  captureId: string
  jobId: string
  warnings: Warning[]
}

async function answerWhenDone(
  { captures, jobs, shutdown }: JobAnswerDeps,
  { request, wait, captureId, jobId, warnings }: Queued,
): Promise<Response> {
  const timeoutMs = timeoutMsOf(request, wait, DEFAULT_WAIT_MS)
  const signal = AbortSignal.any([request.signal, shutdown])
  const ending = await jobs.wait(jobId, { timeoutMs, signal })
  const now = ending?.capture ?? (await captures.get(captureId))
  if (now === null) return failureResponse(captureNotFound(captureId))
  if (ending !== null)
    return Response.json({ ...wireCaptureDetail(now), warnings: uniqueWarnings(warnings, ending.warnings) })
  const location = `/jobs/${jobId}`
  const queuedJob = { job_id: jobId, status_url: location, warnings }
  return Response.json(queuedJob, { status: 202, headers: { location } })
}

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
        const requested = {
          model,
          language: parseLanguage(language ?? undefined),
          task: 'transcribe',
        } as const
        return [await checkModelFields(deps.models, requested, AT)]
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
      const requested = wanted.language ?? capture.language
      const language = requested === 'auto' ? null : requested
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

export type CaptureRefineDeps = JobAnswerDeps & {
  settings: { current(): Settings }
  styles: Pick<WritingStyles, 'get'>
}

const RefineSchema = strictObject(
  {
    flags: Type.Optional(
      nullable(
        strictObject({
          smart_cleanup: Type.Optional(Type.Boolean()),
          self_correction: Type.Optional(Type.Boolean()),
          preserve_technical: Type.Optional(Type.Boolean()),
        }),
        { description: 'override the flags of the writing style and of the settings' },
      ),
    ),
    model_size: Type.Optional(
      nullable(text({ minLength: 1, maxLength: 200 }), {
        description: 'name of the language model; null: the one in the settings',
      }),
    ),
    writing_style_id: Type.Optional(
      nullable(uuid(), {
        description: 'null: the writing style of the capture, else the one that matches its application',
      }),
    ),
    use_llm: Type.Optional(nullable(Type.Boolean(), { description: 'null: as set in the writing style' })),
  },
  { $id: 'RefineRequest' },
)

export const refineRoute = (deps: CaptureRefineDeps): Route =>
  defineRoute(
    {
      method: 'POST',
      path: '/captures/{id}/refine',
      operationId: 'refineCapture',
      summary: 'Refine the text of a capture',
      description:
        'Queues a job, waits for it (30 s unless `wait` says otherwise) and returns the capture. The transcript stays in `transcript_raw`. If the language model fails, or its output deviates from the words that were spoken, the server keeps the rule-based text and sets `refinement_status` to `llm_failed`.',
      tag: 'captures',
      params: captureParams,
      query: waitQuery,
      body: {
        kind: 'json',
        schema: RefineSchema,
        example: { flags: { smart_cleanup: true }, use_llm: false },
        optional: true,
      },
      resolve: ({ body }) => [styleFault(deps.styles, body.writing_style_id, 'body')],
      responses: jobResponses,
      problems: [
        'capture_not_found',
        'capture_busy',
        'capture_in_trash',
        'capture_has_no_text',
        'queue_full',
        'disk_full',
      ],
    },
    async (request, { params, query, body }) => {
      const requested: Static<typeof RefineSchema> = body ?? {}
      const queued = await deps.captures.refine(params.id, {
        flags: flagsOf(requested.flags ?? null),
        writingStyleId: requested.writing_style_id ?? null,
        useLlm: requested.use_llm ?? null,
        llmModel: requested.model_size ?? null,
      })
      if (!queued.ok) return failureResponse(queued.failure)
      const warnings = llmWarnings(deps.settings.current(), requested)
      return answerWhenDone(deps, {
        request,
        wait: query.wait,
        captureId: params.id,
        warnings,
        jobId: queued.value.jobId,
      })
    },
  )

function flagsOf(requested: Static<typeof RefineSchema>['flags'] | null) {
  if (!requested) return null
  const flags = {
    smartCleanup: requested.smart_cleanup,
    selfCorrection: requested.self_correction,
    preserveTechnical: requested.preserve_technical,
  }
  return Object.fromEntries(Object.entries(flags).filter(([, value]) => value !== undefined))
}

function llmWarnings({ llmBaseUrl }: Settings, requested: Static<typeof RefineSchema>): Warning[] {
  if (requested.use_llm !== true || llmBaseUrl !== null) return []
  const message = 'No language model is configured (setting llm_base_url), so only the rules were applied.'
  return [{ code: 'llm_not_configured', message }]
}
