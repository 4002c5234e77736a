// The models on this disk: which are there, and the file behind a name a client may use.
// Checks a file before its first use; running it is engine/'s, describing it to a client http/'s.

import { join } from 'node:path'
import type { ModelFile } from '../engine/engine.ts'
import { removeDurably } from '../lib/durable.ts'
import { type Log, silentLog } from '../lib/log.ts'
import { fail, type Result, succeed } from '../lib/result.ts'
import { BUNDLED_MODELS, byQuality, CATALOGUE, type CatalogueModel } from './catalogue.ts'
import { type CheckedFile, createFileChecker, type Expected, type ModelUnreadable } from './file-check.ts'
import { howToInstall } from './how-to-install.ts'
import { type Installed, installedModels } from './installed.ts'
import {
  checkModelName,
  modelsCalled,
  modelToInstall,
  plainModelName,
  type UnknownModel,
} from './model-name.ts'
import { type ModelStatus, modelStatus } from './model-status.ts'
import { inOrderOfPreference, type Needs } from './preference-order.ts'

export type ModelNotInstalled = { code: 'model_not_installed'; message: string }

export type ModelFailure = UnknownModel | ModelNotInstalled | ModelUnreadable

/** A file that was checked and can be loaded. */
export type UsableModel = ModelFile & CheckedFile

/** Which model hears where nobody names one, and whose choice it is; null where none is here. */
export type ModelChoice = { name: string; chosenBy: Preference['by'] | 'size' | 'speed' } | { name: null }

/** A name that is to be taken where none is asked for; null names none. */
export type Preference = { name: string | null; by: 'setting' | 'environment' }

export type ModelStore = {
  /** null, '' and `whisper-1`: a preferred one if it can be used, else as preference-order.ts says */
  resolve(name: string | null, needs?: Needs): Promise<Result<UsableModel, ModelFailure>>
  /** what `resolve(null)` takes unless it is broken. @param heedSpeed false: as if every computer were fast enough */
  choice(how?: { heedSpeed: boolean }): ModelChoice
  /** the catalogue, then files of the user's own. @param loadedModel a ModelFile's name */
  status(loadedModel: string | null): Promise<ModelStatus[]>
  /** the file that a name stands for now, unchecked; null where there is none of that name */
  find(name: string): Promise<Installed | null>
  /** @throws as the checker's `admit` does */
  admit(arrived: {
    from: string
    expected: Expected
    signal?: AbortSignal
  }): Promise<Result<CheckedFile, ModelUnreadable>>
  /** what came with the project cannot be removed */
  remove(model: Installed): Promise<void>
}

export const createModelStore = ({
  bundledFolder,
  modelsFolder,
  preferences = () => [],
  isTooSlow = () => false,
  maxModelBytes = Number.POSITIVE_INFINITY,
  log = silentLog,
}: {
  bundledFolder: string
  modelsFolder: string
  /** the first that can be is taken */
  preferences?: () => readonly Preference[]
  /** of a model that came with the server, by its name: for this computer */
  isTooSlow?: (name: string) => boolean
  /** what the engine can hold */
  maxModelBytes?: number | undefined
  log?: Log
}): ModelStore => {
  const checker = createFileChecker(modelsFolder)

  const installed = () => installedModels(bundledFolder, modelsFolder)

  const fits = ({ bytes }: Installed) => bytes <= maxModelBytes

  const open = async (model: Installed): Promise<Result<UsableModel, ModelUnreadable>> => {
    const { name, file, path, catalogued } = model
    if (!fits(model)) return fail(tooLarge(model, maxModelBytes))
    const expected = { file, sha256: catalogued?.sha256 ?? null, bytes: catalogued?.bytes ?? null }
    const checked = await checker.check(path, expected)
    if (!checked.ok) return checked
    return succeed({ name, path, ...checked.value })
  }

  const bestFirst = (candidates: readonly CatalogueModel[], on: Installed[]) =>
    on
      .filter((model) => isOneOf(model, candidates))
      .toSorted((one, other) => byQuality(one.catalogued, other.catalogued))

  /** Nobody asked for one in particular, so one broken file does not stop the others. */
  const openBest = async (on: Installed[], needs?: Needs): Promise<Result<UsableModel, ModelFailure>> => {
    let last: Result<UsableModel, ModelFailure> | null = null
    for (const candidate of inOrderOfPreference(on, isTooSlow, needs)) {
      last = await open(candidate)
      if (last.ok) return last
      log.warn({ model: candidate.name }, last.failure.message)
    }
    const bundled = CATALOGUE.find(({ name }) => name === BUNDLED_MODELS[0])!
    const message = `No model is installed; ${howToInstall(bundled)}.`
    return last ?? fail({ code: 'model_not_installed', message })
  }

  const openPreferred = async (
    on: Installed[],
    needs?: Needs,
  ): Promise<Result<UsableModel, ModelFailure>> => {
    for (const { name } of preferences()) {
      if (plainModelName(name) === null) continue
      const opened = await openNamed(name!, on)
      if (opened.ok) return opened
    }
    return openBest(on, needs)
  }

  const resolve = async (name: string | null, needs?: Needs): Promise<Result<UsableModel, ModelFailure>> => {
    const on = installed()
    return name === null ? openPreferred(on, needs) : openNamed(name, on, needs)
  }

  /** Null leaves the choice to us; without `best` the model is known, but not here. */
  const select = (name: string, on: Installed[]) => {
    const own = on.filter(({ catalogued }) => catalogued === null)
    const ownNames = own.map((model) => model.name)
    const known = checkModelName(name, ownNames)
    if (!known.ok || known.value === null) return known.ok ? succeed(null) : known
    const wanted = known.value
    const candidates = modelsCalled(wanted)
    const published = bestFirst(candidates, on)
    const best = own.find((model) => model.name === wanted) ?? published.find(fits) ?? published[0]
    return succeed({ wanted, candidates, best })
  }

  const openNamed = async (
    name: string,
    on: Installed[],
    needs?: Needs,
  ): Promise<Result<UsableModel, ModelFailure>> => {
    const selected = select(name, on)
    if (!selected.ok) return selected
    if (selected.value === null) return openPreferred(on, needs)
    const { wanted, candidates, best } = selected.value
    if (best) return open(best)
    const message = `The model ${wanted} is not installed: ${howToInstall(modelToInstall(candidates)!)}.`
    return fail({ code: 'model_not_installed', message })
  }

  const choice = ({ heedSpeed } = { heedSpeed: true }): ModelChoice => {
    const on = installed()
    for (const { name, by } of preferences()) {
      const selected = name === null ? null : select(name, on)
      const here = selected?.ok ? selected.value?.best : undefined
      if (here) return { name: here.name, chosenBy: by }
    }
    const [best] = inOrderOfPreference(on, () => false)
    const [first] = inOrderOfPreference(on, heedSpeed ? isTooSlow : () => false)
    return first ? { name: first.name, chosenBy: first === best ? 'size' : 'speed' } : { name: null }
  }

  return {
    resolve,
    choice,
    status: async (loadedModel) => modelStatus(installed(), loadedModel),
    async find(name) {
      const selected = select(name, installed())
      return selected.ok ? (selected.value?.best ?? null) : null
    },
    admit: ({ from, expected, signal }) =>
      checker.admit({ from, to: join(modelsFolder, expected.file), expected, ...(signal && { signal }) }),
    async remove({ path, bundled }) {
      if (bundled) throw new Error('a bundled model cannot be removed')
      await removeDurably(path)
    },
  }
}

const isOneOf = (
  model: Installed,
  candidates: readonly CatalogueModel[],
): model is Installed & { catalogued: CatalogueModel } =>
  model.catalogued !== null && candidates.includes(model.catalogued)

const tooLarge = ({ file, bytes }: Installed, maxModelBytes: number): ModelUnreadable => {
  const [has, most] = [bytes, maxModelBytes].map((count) => `${Math.floor(count / 1_000_000)} MB`)
  const message = `${file} is too large for the engine (${has}, it takes ${most}): install a quantized file of that model.`
  return { code: 'model_unreadable', message }
}
