// The installed models: resolves a client's name to a file and verifies the file before its first use.

import { join } from 'node:path'
import type { ModelFile } from '../engine/engine.ts'
import { removeDurably } from '../lib/durable.ts'
import { type Log, silentLog } from '../lib/log.ts'
import { fail, type Result, succeed } from '../lib/result.ts'
import {
  BUNDLED_MODELS,
  byQuality,
  CATALOGUE,
  type CatalogueModel,
  checkModelName,
  howToInstall,
  modelsCalled,
  modelToInstall,
  plainModelName,
  type UnknownModel,
} from './catalogue.ts'
import { type CheckedFile, createFileChecker, type Expected, type ModelUnreadable } from './file-check.ts'
import {
  type Installed,
  inOrderOfPreference,
  installedModels,
  type ModelStatus,
  modelStatus,
  type Needs,
} from './installed.ts'

export type ModelNotInstalled = { code: 'model_not_installed'; message: string }

export type ModelFailure = UnknownModel | ModelNotInstalled | ModelUnreadable

/** A verified file that can be loaded. */
export type UsableModel = ModelFile & CheckedFile

/** The default model and the reason for it; null if none is installed. */
export type ModelChoice = { name: string; chosenBy: Preference['by'] | 'size' | 'speed' } | { name: null }

/** A default model set by the user; null: not set. */
export type Preference = { name: string | null; by: 'setting' | 'environment' }

export type ModelStore = {
  /** null, '' and `whisper-1`: the preferred model if usable, else by installed.ts */
  resolve(name: string | null, needs?: Needs): Promise<Result<UsableModel, ModelFailure>>
  /** the model that `resolve(null)` uses unless its file is broken. @param heedSpeed false: ignores speed */
  choice(how?: { heedSpeed: boolean }): ModelChoice
  /** the catalogue, then the user's own files. @param loadedModel a ModelFile's name */
  status(loadedModel: string | null): Promise<ModelStatus[]>
  /** the file of a name, unverified; null if not installed */
  find(name: string): Promise<Installed | null>
  /** @throws as the checker's `admit` */
  admit(arrived: {
    from: string
    expected: Expected
    signal?: AbortSignal
  }): Promise<Result<CheckedFile, ModelUnreadable>>
  /** @throws for a bundled model */
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
  /** the first usable one is the default */
  preferences?: () => readonly Preference[]
  /** takes the name of a bundled model */
  isTooSlow?: (name: string) => boolean
  /** the engine's limit */
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

  /** No specific model was requested, so a broken file is skipped. */
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

  /** Null: the default model. Without `best` the model is known but not installed. */
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
  const message = `${file} is too large for the engine (${has}; the limit is ${most}). Install a quantized file of that model.`
  return { code: 'model_unreadable', message }
}
