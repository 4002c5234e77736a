import { type Static, Type } from '@sinclair/typebox'
import { nullable } from '../../lib/schema.ts'
import { keyVariableFault } from '../../llm/key-variable.ts'
import { CATALOGUE } from '../../models/catalogue.ts'
import { findDownloadable } from '../../models/downloadable.ts'
import type { ModelStore } from '../../models/store.ts'
import { voiceboxNameOf } from '../../models/voicebox-names.ts'
import type { Settings } from '../../settings/settings.ts'
import { defineRoute, type Route } from '../contract/route.ts'
import { strictObject } from '../contract/schema.ts'
import { warningsField } from '../fields/warnings.ts'
import { llmWarnings } from '../settings/llm-warnings.ts'

export type ReadinessDeps = {
  models: Pick<ModelStore, 'resolve'>
  settings: { current(): Settings }
}

const PartSchema = strictObject(
  {
    ready: Type.Boolean(),
    model_name: Type.String({ description: 'name for POST /models/download if the model is not ready' }),
    display_name: Type.String(),
    size: nullable(Type.String()),
    size_mb: nullable(Type.Integer({ minimum: 0 })),
  },
  { $id: 'Readiness' },
)

type Part = Static<typeof PartSchema>

const ReadinessSchema = strictObject(
  { stt: PartSchema, llm: PartSchema, warnings: warningsField },
  { $id: 'CaptureReadiness' },
)

const NO_LLM: Part = {
  ready: true,
  model_name: 'none',
  display_name: 'No language model needed',
  size: null,
  size_mb: null,
}

export const readinessRoute = ({ models, settings }: ReadinessDeps): Route =>
  defineRoute(
    {
      method: 'GET',
      path: '/capture/readiness',
      operationId: 'getCaptureReadiness',
      summary: 'Check whether a recording could be transcribed now',
      description:
        '`stt` is the model in the settings, or the best installed one. `llm` is ready if the settings do not use a language model, if no URL is set (only the rules then refine), or if a URL is set, with a permitted key if one is needed. The server does not check whether the language model responds. `warnings` lists the settings that prevent the use of a language model.',
      tag: 'models',
      responses: {
        200: {
          description: 'The readiness of both models',
          content: {
            'application/json': {
              schema: ReadinessSchema,
              example: {
                stt: {
                  ready: true,
                  model_name: 'whisper-base',
                  display_name: 'Whisper Base (q5_1)',
                  size: 'base',
                  size_mb: 60,
                },
                llm: NO_LLM,
                warnings: [],
              },
            },
          },
        },
      },
    },
    async () => {
      const now = settings.current()
      return Response.json({
        stt: await speechReadiness(models, now.sttModel),
        llm: llmReadiness(now),
        warnings: llmWarnings(now),
      })
    },
  )

async function speechReadiness(models: ReadinessDeps['models'], asked: string | null): Promise<Part> {
  const model = await models.resolve(asked)
  if (model.ok) return partOf(model.value.name, true, model.value.bytes)
  const wanted = asked === null ? null : findDownloadable(asked)
  if (wanted?.ok) return partOf(wanted.value.name, false, wanted.value.bytes)
  return partOf(asked ?? 'none', false, null)
}

function partOf(name: string, ready: boolean, bytes: number | null): Part {
  const published = CATALOGUE.find((model) => model.name === name)
  return {
    ready,
    model_name: voiceboxNameOf(name) ?? name,
    display_name: published?.displayName ?? name,
    size: published?.size ?? null,
    size_mb: bytes === null ? null : Math.round(bytes / 1_000_000),
  }
}

function llmReadiness({ autoRefine, llmBaseUrl, llmApiKeyEnv, llmModel }: Settings): Part {
  if (!autoRefine || llmBaseUrl === null) return NO_LLM
  const name = llmModel ?? 'default'
  const mayAsk = llmApiKeyEnv === null || keyVariableFault(llmApiKeyEnv) === null
  return {
    ready: mayAsk,
    model_name: name,
    display_name: name,
    size: null,
    size_mb: null,
  }
}
