import { type Static, Type } from '@sinclair/typebox'
import type { Engine } from '../../engine/engine.ts'
import type { Log } from '../../lib/log.ts'
import { keyVariableFault } from '../../lib/openai-server.ts'
import { nullable } from '../../lib/schema.ts'
import {
  betterModelHint,
  CATALOGUE,
  exactName,
  voiceboxModels,
  voiceboxNameOf,
} from '../../models/catalogue.ts'
import { type DownloadState, fractionOf, isOver } from '../../models/download-state.ts'
import { findDownloadable } from '../../models/downloadable.ts'
import type { Downloads } from '../../models/downloads.ts'
import type { ModelStore } from '../../models/store.ts'
import type { Settings } from '../../settings/settings.ts'
import { warningsField } from '../fields/segment.ts'
import { problemBody, problemResponse } from '../kernel/problem.ts'
import { defineRoute, jsonContent, ok, type Route } from '../kernel/route.ts'
import { strictObject } from '../kernel/schema.ts'
import { createEventQueue, eventStream, type StreamedEvent } from '../server/event-stream.ts'
import { internalError } from '../server/router.ts'
import { llmWarnings } from '../settings/settings.ts'
import {
  type DownloadView,
  ModelsSchema,
  modelParams,
  modelsExample,
  NOT_DOWNLOADING,
  progressExample,
  type WireModel,
  wireComplete,
  wireModel,
  wireProgress,
  wireUncatalogued,
} from './schema.ts'

export type ModelsStatusDeps = {
  engine: Pick<Engine, 'health'>
  models: Pick<ModelStore, 'status'>
  downloads: Pick<Downloads, 'states' | 'halfDone'>
}

export const modelsStatusRoute = (deps: ModelsStatusDeps) =>
  defineRoute(
    {
      method: 'GET',
      path: '/models/status',
      operationId: 'getModelsStatus',
      summary: 'List the models',
      description:
        "Lists every model of the catalogue, the user's own files in the models folder, and running downloads. The five names that Voicebox uses (`whisper-base`, `whisper-small`, `whisper-medium`, `whisper-large`, `whisper-turbo`) come first, together with the other bundled model as `whisper-tiny.en-q5_1`, because Voicebox's page lists only names of this form. Each has the properties of the file that it refers to.",
      tag: 'models',
      responses: ok('The models', jsonContent(ModelsSchema, modelsExample)),
    },
    async () => Response.json(await listed(deps)),
  )

async function listed({ engine, models, downloads }: ModelsStatusDeps) {
  const [all, halfDone] = await Promise.all([
    models.status(engine.health().loadedModel),
    downloads.halfDone(),
  ])
  const running = downloads.states()
  const viewOf = (file: string): DownloadView => {
    const state = running.find((one) => one.file === file)
    if (state) return { downloading: true, progress: fractionOf(state) }
    return { ...NOT_DOWNLOADING, progress: halfDone.get(file) ?? null }
  }
  const files = all.map((model) => wireModel(model, viewOf(model.file)))
  const known = new Set(files.map(({ file }) => file))
  const uncatalogued = running.filter(({ file }) => !known.has(file)).map(wireUncatalogued)
  const installed = all.filter((model) => model.downloaded).map((model) => model.name)
  return { models: [...voiceboxEntries(files), ...files, ...uncatalogued], hint: betterModelHint(installed) }
}

/** Each alias has the properties of the file that it refers to. */
function voiceboxEntries(files: WireModel[]): WireModel[] {
  const isHere = (file: string) => files.some((one) => one.file === file && one.downloaded)
  return voiceboxModels(isHere).flatMap(({ alias, model }) => {
    const entry = files.find(({ model_name }) => model_name === exactName(model))
    return entry ? [{ ...entry, model_name: alias, alias_of: entry.model_name }] : []
  })
}

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
      responses: ok(
        'The readiness of both models',
        jsonContent(ReadinessSchema, {
          stt: {
            ready: true,
            model_name: 'whisper-base',
            display_name: 'Whisper Base (q5_1)',
            size: 'base',
            size_mb: 60,
          },
          llm: NO_LLM,
          warnings: [],
        }),
      ),
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

async function speechReadiness(models: ReadinessDeps['models'], requested: string | null): Promise<Part> {
  const model = await models.resolve(requested)
  if (model.ok) return partOf(model.value.name, true, model.value.bytes)
  const wanted = requested === null ? null : findDownloadable(requested)
  if (wanted?.ok) return partOf(wanted.value.name, false, wanted.value.bytes)
  return partOf(requested ?? 'none', false, null)
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

export type WatchDeps = {
  downloads: Pick<Downloads, 'find' | 'isOf' | 'watch'>
  models: Pick<ModelStore, 'find'>
  log: Log
  shutdown: AbortSignal
}

export const watchDownloadRoute = (deps: WatchDeps) =>
  defineRoute(
    {
      method: 'GET',
      path: '/models/progress/{name}',
      operationId: 'watchModelDownload',
      summary: 'Watch a download',
      description:
        'Streams unnamed server-sent events, each a DownloadProgress in JSON: the current state, then at most four events per second. The last event has the status `complete`, `error` or `canceled`. If no download is in progress, the stream waits for one to start.',
      tag: 'models',
      params: modelParams,
      responses: ok('The events', {
        'text/event-stream': { example: `data: ${JSON.stringify(progressExample)}\n\n` },
      }),
      problems: ['model_not_found'],
    },
    async (request, { params: { name } }) => {
      const { downloads, models, log, shutdown } = deps
      if (!findDownloadable(name).ok && downloads.find(name) === null && (await models.find(name)) === null) {
        const detail = `There is no model ${JSON.stringify(name)}. GET /models/status lists the available models.`
        return problemResponse({ code: 'model_not_found', detail })
      }
      return eventStream((signal) => eventsOf(deps, name, signal), {
        signal: request.signal,
        shutdown,
        describeError: (error) => problemBody(internalError(error, log)),
      })
    },
  )

async function* eventsOf(
  { downloads, models }: WatchDeps,
  name: string,
  signal: AbortSignal,
): AsyncGenerator<StreamedEvent, void, undefined> {
  const queue = createEventQueue()
  const emit = (state: DownloadState) => {
    queue.push({ data: wireProgress(state, name) })
    if (isOver(state)) queue.end()
  }
  // Subscribe before reading the state, so that no change in between is missed.
  const stop = downloads.watch((state) => downloads.isOf(state, name) && emit(state))
  signal.addEventListener('abort', queue.end, { once: true })
  if (signal.aborted) queue.end()
  try {
    const now = downloads.find(name)
    const here = now === null ? await models.find(name) : null
    if (here !== null) {
      yield { data: wireComplete(name, here) }
      return
    }
    if (now !== null) emit(now)
    yield* queue.events()
  } finally {
    stop()
    signal.removeEventListener('abort', queue.end)
  }
}
