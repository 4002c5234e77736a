// The status of every known model: those of the catalogue and the user's own files.

import { BUNDLED_MODELS, CATALOGUE, type ModelSize } from './catalogue.ts'
import type { Installed } from './installed.ts'

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
