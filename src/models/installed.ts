// Which model files lie in the folders.
// Looks at names and sizes only; whether a file is what its name says is file-check.ts.

import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { BUNDLED_MODEL, CATALOGUE, type CatalogueModel } from './catalogue.ts'

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

const BUNDLED_FILE = CATALOGUE.find(({ name }) => name === BUNDLED_MODEL)!.file

const byFile = new Map(CATALOGUE.map((model) => [model.file, model]))

const modelFile = async (folder: string, file: string, bundled: boolean): Promise<Installed | null> => {
  const [, name] = MODEL_FILE.exec(file) ?? []
  if (!name) return null
  const path = join(folder, file)
  const entry = await stat(path).catch(() => null)
  return entry?.isFile()
    ? { name, file, path, bytes: entry.size, catalogued: byFile.get(file) ?? null, bundled }
    : null
}

/** The user's folder wins over what came with the project. */
export const installedModels = async (bundledFolder: string, modelsFolder: string): Promise<Installed[]> => {
  const bundled = modelFile(bundledFolder, BUNDLED_FILE, true)
  const files = (await readdir(modelsFolder).catch(() => [])).sort()
  const own = (await Promise.all(files.map((file) => modelFile(modelsFolder, file, false)))).filter(isThere)
  const ours = own.some(({ file }) => file === BUNDLED_FILE) ? null : await bundled
  return ours === null ? own : [...own, ours]
}

const isThere = (model: Installed | null): model is Installed => model !== null
