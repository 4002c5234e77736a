// GET /models/status and GET /models/cache-dir: the models a client can ask for, and which of them are here.
// Bringing them is model-downloads.ts and model-import.ts, the engine's part model-loading.ts.

import { Type } from '@sinclair/typebox'
import type { Engine } from '../engine/engine.ts'
import { fractionOf } from '../models/download-state.ts'
import type { Downloads } from '../models/downloads.ts'
import { betterModelHint } from '../models/how-to-install.ts'
import { exactName } from '../models/model-name.ts'
import type { ModelStore } from '../models/store.ts'
import { voiceboxModels } from '../models/voicebox-names.ts'
import { type DownloadRouteDeps, modelDownloadRoutes } from './model-downloads.ts'
import { type ModelImportDeps, modelImportRoute } from './model-import.ts'
import { type ModelLoadingDeps, modelLoadingRoutes } from './model-loading.ts'
import {
  type DownloadView,
  ModelsSchema,
  modelsExample,
  NOT_DOWNLOADING,
  type WireModel,
  wireModel,
  wireUncatalogued,
} from './model-schema.ts'
import { defineRoute, type Route } from './route.ts'
import { strictObject } from './schema.ts'

export type ModelsDeps = DownloadRouteDeps &
  ModelImportDeps &
  ModelLoadingDeps & {
    engine: Pick<Engine, 'health'>
    models: Pick<ModelStore, 'status' | 'find'>
    downloads: Pick<Downloads, 'states' | 'halfDone'>
    folders: { models: string }
  }

export const modelRoutes = (deps: ModelsDeps): Route[] => [
  statusRoute(deps),
  folderRoute(deps),
  ...modelDownloadRoutes(deps),
  modelImportRoute(deps),
  ...modelLoadingRoutes(deps),
]

const statusRoute = (deps: ModelsDeps) =>
  defineRoute(
    {
      method: 'GET',
      path: '/models/status',
      operationId: 'getModelsStatus',
      summary: 'List the models',
      description:
        "Every model of the catalogue, the files of the user's own in the models folder, and what is being downloaded. First come the five names that Voicebox knows (`whisper-base`, `whisper-small`, `whisper-medium`, `whisper-large`, `whisper-turbo`) and the other model in the box as `whisper-tiny.en-q5_1`, since its page lists only names of this kind; each as the file it stands for.",
      tag: 'models',
      responses: {
        200: {
          description: 'The models',
          content: { 'application/json': { schema: ModelsSchema, example: modelsExample } },
        },
      },
    },
    async () => Response.json(await listed(deps)),
  )

async function listed({ engine, models, downloads }: ModelsDeps) {
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

/** Each in the shape of the file it stands for. */
function voiceboxEntries(files: WireModel[]): WireModel[] {
  const isHere = (file: string) => files.some((one) => one.file === file && one.downloaded)
  return voiceboxModels(isHere).flatMap(({ alias, model }) => {
    const entry = files.find(({ model_name }) => model_name === exactName(model))
    return entry ? [{ ...entry, model_name: alias, alias_of: entry.model_name }] : []
  })
}

const folderRoute = ({ folders }: ModelsDeps) =>
  defineRoute(
    {
      method: 'GET',
      path: '/models/cache-dir',
      operationId: 'getModelsFolder',
      summary: 'Where the models lie',
      description: 'The folder that DICTATION_MODELS_DIR names.',
      tag: 'models',
      responses: {
        200: {
          description: 'The folder',
          content: {
            'application/json': {
              schema: strictObject({ path: Type.String() }, { $id: 'ModelsFolder' }),
              example: { path: '/home/ada/.local/share/local-dictation/models' },
            },
          },
        },
      },
    },
    () => Response.json({ path: folders.models }),
  )
