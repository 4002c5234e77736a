// One line for every model a client can know of: the catalogue's, and the files of the user's own.
// Says what lies there; how it looks on the wire is http/'s.

import { BUNDLED_MODELS, CATALOGUE, type ModelSize } from './catalogue.ts'
import type { Installed } from './installed.ts'

export type ModelStatus = {
  name: string
  displayName: string
  /** null for a file of the user's own, as everything that only the catalogue knows */
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

/** @param loadedModel the name of a ModelFile, as the health of an engine has it */
export const modelStatus = (installed: Installed[], loadedModel: string | null): ModelStatus[] => [
  ...catalogued(installed, loadedModel),
  ...own(installed, loadedModel),
]
