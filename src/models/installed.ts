// The model files in the folders, by name and size only; file-check.ts verifies them.

import { readdirSync, type Stats, statSync } from 'node:fs'
import { join } from 'node:path'
import { BUNDLED_MODELS, CATALOGUE, type CatalogueModel } from './catalogue.ts'

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
  const entry = statOf(path)
  if (!entry?.isFile()) return []
  return [{ name, file, path, bytes: entry.size, catalogued: byFile.get(file) ?? null, bundled }]
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
