// Which model files lie in the folders.
// Looks at names and sizes only; whether a file is what its name says is file-check.ts.

import { readdirSync, type Stats, statSync } from 'node:fs'
import { join } from 'node:path'
import { BUNDLED_MODELS, CATALOGUE, type CatalogueModel } from './catalogue.ts'

export type Installed = {
  name: string
  file: string
  path: string
  bytes: number
  /** null for a file of the user's own */
  catalogued: CatalogueModel | null
  /** it lies where it came with the project, not among the user's */
  bundled: boolean
}

/** Nothing else in the folder is taken for a model, and no name of a client becomes part of a path. */
const MODEL_FILE = /^ggml-([a-z0-9][a-z0-9._-]{0,99})\.bin$/

const BUNDLED_FILES = CATALOGUE.filter(({ name }) => BUNDLED_MODELS.includes(name)).map(({ file }) => file)

const byFile = new Map(CATALOGUE.map((model) => [model.file, model]))

/** Looked up at once and anew for every recording: it takes a hundredth of a millisecond. */
const modelFile = (folder: string, file: string, bundled: boolean): Installed[] => {
  const [, name] = MODEL_FILE.exec(file) ?? []
  if (!name) return []
  const path = join(folder, file)
  const entry = statOf(path)
  if (!entry?.isFile()) return []
  return [{ name, file, path, bytes: entry.size, catalogued: byFile.get(file) ?? null, bundled }]
}

/** The user's folder wins over what came with the project. */
export const installedModels = (bundledFolder: string, modelsFolder: string): Installed[] => {
  const own = filesIn(modelsFolder).flatMap((file) => modelFile(modelsFolder, file, false))
  const lacking = BUNDLED_FILES.filter((file) => own.every((one) => one.file !== file))
  return [...own, ...lacking.flatMap((file) => modelFile(bundledFolder, file, true))]
}

/** Of the user's own files: those that the catalogue does not know. */
export const ownModelNames = (modelsFolder: string): string[] =>
  filesIn(modelsFolder).flatMap((file) =>
    modelFile(modelsFolder, file, false).flatMap(({ name, catalogued }) => (catalogued ? [] : [name])),
  )

// What cannot be looked at is not there.
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
