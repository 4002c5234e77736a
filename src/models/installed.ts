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
}

/** Nothing else in the folder is taken for a model, and no name of a client becomes part of a path. */
const MODEL_FILE = /^ggml-([a-z0-9][a-z0-9._-]{0,99})\.bin$/

const byFile = new Map(CATALOGUE.map((model) => [model.file, model]))

const scan = async (folder: string): Promise<Installed[]> => {
  const files = await readdir(folder).catch(() => [])
  const found = files.sort().map(async (file): Promise<Installed | null> => {
    const [, name] = MODEL_FILE.exec(file) ?? []
    const path = join(folder, file)
    const entry = await stat(path).catch(() => null)
    if (!name || !entry?.isFile()) return null
    return { name, file, path, bytes: entry.size, catalogued: byFile.get(file) ?? null }
  })
  return (await Promise.all(found)).filter((one) => one !== null)
}

/** The user's folder wins over what came with the project. */
export const installedModels = async (bundledFolder: string, modelsFolder: string): Promise<Installed[]> => {
  const own = await scan(modelsFolder)
  const bundled = (await scan(bundledFolder)).filter(({ name }) => name === BUNDLED_MODEL)
  return [...own, ...bundled.filter(({ file }) => !own.some((one) => one.file === file))]
}
