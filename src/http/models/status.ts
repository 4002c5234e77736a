import type { Engine } from '../../engine/engine.ts'
import { fractionOf } from '../../models/download-state.ts'
import type { Downloads } from '../../models/downloads.ts'
import { betterModelHint } from '../../models/how-to-install.ts'
import { exactName } from '../../models/model-name.ts'
import type { ModelStore } from '../../models/store.ts'
import { voiceboxModels } from '../../models/voicebox-names.ts'
import { defineRoute } from '../contract/route.ts'
import {
  type DownloadView,
  ModelsSchema,
  modelsExample,
  NOT_DOWNLOADING,
  type WireModel,
  wireModel,
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
      responses: {
        200: {
          description: 'The models',
          content: { 'application/json': { schema: ModelsSchema, example: modelsExample } },
        },
      },
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
