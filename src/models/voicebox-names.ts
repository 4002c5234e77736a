// Voicebox's model names and the file of each on this computer.

import { BUNDLED_MODELS, byQuality, CATALOGUE, type CatalogueModel } from './catalogue.ts'
import { modelsCalled, modelToInstall, plainModelName } from './model-name.ts'

/** Its client recognises speech models in the list by this prefix. */
const PREFIX = 'whisper-'

const NAMES = ['base', 'small', 'medium', 'large', 'turbo'].map((size) => `${PREFIX}${size}`)

export type NamedModel = { alias: string; model: CatalogueModel }

/** Bundled models outside Voicebox's five sizes. */
const IN_THE_BOX: NamedModel[] = CATALOGUE.filter(
  ({ name, family }) => BUNDLED_MODELS.includes(name) && !NAMES.includes(`${PREFIX}${family}`),
).map((model) => ({ alias: `${PREFIX}${model.name}`, model }))

/** Its five sizes, each as the best installed file or the one to install, then the other bundled models. @param isHere takes a file name */
export const voiceboxModels = (isHere: (file: string) => boolean): NamedModel[] => {
  const sizes = NAMES.map((alias) => {
    const candidates = modelsCalled(plainModelName(alias) ?? '')
    const here = candidates.filter(({ file }) => isHere(file)).toSorted(byQuality)
    return { alias, model: here[0] ?? modelToInstall(candidates)! }
  })
  return [...sizes, ...IN_THE_BOX]
}

/** Voicebox's name of a model of the catalogue; null if it has none. */
export const voiceboxNameOf = (name: string): string | null => {
  const { family } = CATALOGUE.find((model) => model.name === name) ?? {}
  return NAMES.find((alias) => plainModelName(alias) === family) ?? null
}
