// The models on this disk: which are there, and the file behind a name a client may use.
// Checks a file before its first use; running it is engine/'s, describing it to a client http/'s.

import type { ModelFile } from '../engine/engine.ts'
import { type Log, silentLog } from '../lib/log.ts'
import { fail, type Result, succeed } from '../lib/result.ts'
import { BUNDLED_MODEL, byQuality, CATALOGUE, type CatalogueModel } from './catalogue.ts'
import { createFileChecker, type ModelUnreadable } from './file-check.ts'
import { howToInstall } from './how-to-install.ts'
import { type Installed, installedModels } from './installed.ts'
import { checkModelName, modelsCalled, modelToInstall, type UnknownModel } from './model-name.ts'
import { type ModelStatus, modelStatus } from './model-status.ts'

export type ModelNotInstalled = { code: 'model_not_installed'; message: string }

export type ModelFailure = UnknownModel | ModelNotInstalled | ModelUnreadable

export type ModelStore = {
  /** null, '' and `whisper-1`: the best installed one. The file was checked and can be loaded. */
  resolve(name: string | null): Promise<Result<ModelFile, ModelFailure>>
  /** the catalogue, then files of the user's own. @param loadedModel a ModelFile's name */
  status(loadedModel: string | null): Promise<ModelStatus[]>
}

export const createModelStore = ({
  bundledFolder,
  modelsFolder,
  log = silentLog,
}: {
  bundledFolder: string
  modelsFolder: string
  log?: Log
}): ModelStore => {
  const checkFile = createFileChecker(modelsFolder)

  const installed = () => installedModels(bundledFolder, modelsFolder)

  const open = async (model: Installed): Promise<Result<ModelFile, ModelUnreadable>> => {
    const { name, file, path, catalogued } = model
    const expected = { file, sha256: catalogued?.sha256 ?? null, bytes: catalogued?.bytes ?? null }
    const checked = await checkFile(path, expected)
    if (!checked.ok) return checked
    return succeed({ name, path, ...checked.value })
  }

  const bestFirst = (candidates: CatalogueModel[], on: Installed[]) =>
    candidates.toSorted(byQuality).flatMap((model) => on.filter(({ file }) => file === model.file))

  /** Nobody asked for one in particular, so one broken file does not stop the others. */
  const openBest = async (on: Installed[]): Promise<Result<ModelFile, ModelFailure>> => {
    let last: Result<ModelFile, ModelFailure> | null = null
    for (const candidate of bestFirst([...CATALOGUE], on)) {
      last = await open(candidate)
      if (last.ok) return last
      log.warn({ model: candidate.name }, last.failure.message)
    }
    const bundled = CATALOGUE.find(({ name }) => name === BUNDLED_MODEL)!
    const message = `No model is installed; ${howToInstall(bundled)}.`
    return last ?? fail({ code: 'model_not_installed', message })
  }

  const resolve = async (name: string | null): Promise<Result<ModelFile, ModelFailure>> => {
    const on = await installed()
    const own = on.filter(({ catalogued }) => catalogued === null)
    const known = checkModelName(
      name,
      own.map((model) => model.name),
    )
    if (!known.ok) return known
    if (known.value === null) return openBest(on)
    const wanted = known.value
    const candidates = modelsCalled(wanted)
    const best = bestFirst(candidates, on)[0] ?? own.find((model) => model.name === wanted)
    if (best) return open(best)
    const message = `The model ${wanted} is not installed: ${howToInstall(modelToInstall(candidates)!)}.`
    return fail({ code: 'model_not_installed', message })
  }

  return {
    resolve,
    status: async (loadedModel) => modelStatus(await installed(), loadedModel),
  }
}
