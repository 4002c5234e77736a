import { type Static, Type } from '@sinclair/typebox'
import { nullable, uuid } from '../../lib/schema.ts'
import type { Warning } from '../../lib/warning.ts'
import type { Settings } from '../../settings/settings.ts'
import type { WritingStyles } from '../../writing/styles.ts'
import { failureResponse } from '../contract/failure.ts'
import { defineRoute, type Route } from '../contract/route.ts'
import { strictObject, text } from '../contract/schema.ts'
import { styleFault } from '../fields/style.ts'
import { waitQuery } from '../fields/wait.ts'
import { captureParams } from './address.ts'
import { answerWhenDone, type JobAnswerDeps, jobResponses } from './job-answer.ts'

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
      const asked: Static<typeof RefineSchema> = body ?? {}
      const queued = await deps.captures.refine(params.id, {
        flags: flagsOf(asked.flags ?? null),
        writingStyleId: asked.writing_style_id ?? null,
        useLlm: asked.use_llm ?? null,
        llmModel: asked.model_size ?? null,
      })
      if (!queued.ok) return failureResponse(queued.failure)
      const warnings = llmWarnings(deps.settings.current(), asked)
      return answerWhenDone(deps, {
        request,
        wait: query.wait,
        captureId: params.id,
        warnings,
        jobId: queued.value.jobId,
      })
    },
  )

function flagsOf(asked: Static<typeof RefineSchema>['flags'] | null) {
  if (!asked) return null
  const flags = {
    smartCleanup: asked.smart_cleanup,
    selfCorrection: asked.self_correction,
    preserveTechnical: asked.preserve_technical,
  }
  return Object.fromEntries(Object.entries(flags).filter(([, value]) => value !== undefined))
}

function llmWarnings({ llmBaseUrl }: Settings, asked: Static<typeof RefineSchema>): Warning[] {
  if (asked.use_llm !== true || llmBaseUrl !== null) return []
  const message = 'No language model is configured (setting llm_base_url), so only the rules were applied.'
  return [{ code: 'llm_not_configured', message }]
}
