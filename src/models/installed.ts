// The model files in the folders, by name and size only; file-check.ts verifies them.
// Their status for clients, and which is preferred.

import { readdirSync, type Stats, statSync } from 'node:fs'
import { join } from 'node:path'
import { storedAt } from '../lib/own-files.ts'
import {
  BUNDLED_MODELS,
  byQuality,
  bySize,
  CATALOGUE,
  type CatalogueModel,
  type ModelSize,
} from './catalogue.ts'

export type Installed = {
  name: string
  file: string
  path: string
  bytes: number
  /** null for the user's own file */
  catalogued: CatalogueModel | null
  /** in the project's folder, not in the user's */
  bundled: boolean
}

/** Other files are ignored, and a client's name never becomes part of a path. */
const MODEL_FILE = /^ggml-([a-z0-9][a-z0-9._-]{0,99})\.bin$/

const BUNDLED_FILES = CATALOGUE.filter(({ name }) => BUNDLED_MODELS.includes(name)).map(({ file }) => file)

const byFile = new Map(CATALOGUE.map((model) => [model.file, model]))

/** Synchronous and repeated for every recording: it takes 10 µs. */
const modelFile = (folder: string, file: string, bundled: boolean): Installed[] => {
  const [, name] = MODEL_FILE.exec(file) ?? []
  if (!name) return []
  const path = join(folder, file)
  const stored = storedAt(path)
  const entry = statOf(stored.path)
  if (!entry?.isFile()) return []
  const catalogued = byFile.get(file) ?? null
  const bytes = stored.isCompressed ? (catalogued?.bytes ?? 0) : entry.size
  return [{ name, file, path, bytes, catalogued, bundled }]
}

/** The user's folder takes precedence over bundled files. */
export const installedModels = (bundledFolder: string, modelsFolder: string): Installed[] => {
  const own = filesIn(modelsFolder).flatMap((file) => modelFile(modelsFolder, file, false))
  const lacking = BUNDLED_FILES.filter((file) => own.every((one) => one.file !== file))
  return [...own, ...lacking.flatMap((file) => modelFile(bundledFolder, file, true))]
}

/** Names of the user's own files that are not in the catalogue. */
export const ownModelNames = (modelsFolder: string): string[] =>
  filesIn(modelsFolder).flatMap((file) =>
    modelFile(modelsFolder, file, false).flatMap(({ name, catalogued }) => (catalogued ? [] : [name])),
  )

// A file that cannot be read counts as missing.
const statOf = (path: string): Stats | null => {
  try {
    return statSync(path)
  } catch {
    return null
  }
}

const filesIn = (folder: string): string[] => {
  try {
    return readdirSync(folder).sort()
  } catch {
    return []
  }
}

export type ModelStatus = {
  name: string
  displayName: string
  /** null for the user's own file, like every field from the catalogue */
  size: ModelSize | null
  repository: string | null
  file: string
  downloaded: boolean
  loaded: boolean
  sizeMb: number | null
  expectedSizeMb: number | null
  multilingual: boolean | null
  quantization: string | null
  sha256: string | null
  recommended: boolean
  bundled: boolean
}

const toMb = (bytes: number) => Math.round(bytes / 1_000_000)

const catalogued = (installed: Installed[], loadedModel: string | null): ModelStatus[] =>
  CATALOGUE.map(({ family: _, bytes: __, revision: ___, ...model }) => {
    const there = installed.find(({ file }) => file === model.file)
    return {
      ...model,
      downloaded: there !== undefined,
      loaded: model.name === loadedModel,
      sizeMb: there ? toMb(there.bytes) : null,
      bundled: BUNDLED_MODELS.includes(model.name),
    }
  })

const own = (installed: Installed[], loadedModel: string | null): ModelStatus[] =>
  installed
    .filter((model) => model.catalogued === null)
    .map(({ name, file, bytes }) => ({
      name,
      displayName: name,
      size: null,
      repository: null,
      file,
      downloaded: true,
      loaded: name === loadedModel,
      sizeMb: toMb(bytes),
      expectedSizeMb: null,
      multilingual: null,
      quantization: null,
      sha256: null,
      recommended: false,
      bundled: false,
    }))

/** @param loadedModel a ModelFile's name, from the engine's health */
export const modelStatus = (installed: Installed[], loadedModel: string | null): ModelStatus[] => [
  ...catalogued(installed, loadedModel),
  ...own(installed, loadedModel),
]

export type ModelCandidate = Installed & { catalogued: CatalogueModel }

/** Requirements of a request. */
export type Needs = {
  /** for languages other than English, and translation: English-only models come last */
  multilingual: boolean
}

/**
 * Largest first. Within a size, models installed by the user come before bundled ones, then the better one. Bundled
 * models that are too slow for this computer come last. Files outside the catalogue are used only by name.
 * @param isTooSlow takes a model's name
 */
export const inOrderOfPreference = (
  on: readonly Installed[],
  isTooSlow: (name: string) => boolean,
  needs: Needs = { multilingual: false },
): ModelCandidate[] => {
  const comesLast = ({ bundled, name }: ModelCandidate) => bundled && isTooSlow(name)
  const cannot = ({ catalogued }: ModelCandidate) => needs.multilingual && !catalogued.multilingual
  return on
    .filter((model): model is ModelCandidate => model.catalogued !== null)
    .toSorted(
      (one, other) =>
        Number(cannot(one)) - Number(cannot(other)) ||
        Number(comesLast(one)) - Number(comesLast(other)) ||
        bySize(one.catalogued, other.catalogued) ||
        Number(one.bundled) - Number(other.bundled) ||
        byQuality(one.catalogued, other.catalogued),
    )
}
