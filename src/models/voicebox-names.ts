// The names under which Voicebox lists models, and which file each of them stands for on this computer.
// Only names; a client that asks for one gets it by model-name.ts like any other.

import { BUNDLED_MODELS, byQuality, CATALOGUE, type CatalogueModel } from './catalogue.ts'
import { modelsCalled, modelToInstall, plainModelName } from './model-name.ts'

/** Its client picks the models for speech out of a list by this prefix. */
const PREFIX = 'whisper-'

const NAMES = ['base', 'small', 'medium', 'large', 'turbo'].map((size) => `${PREFIX}${size}`)

export type NamedModel = { alias: string; model: CatalogueModel }

/** None of its five sizes, but here from the start. */
const IN_THE_BOX: NamedModel[] = CATALOGUE.filter(
  ({ name, family }) => BUNDLED_MODELS.includes(name) && !NAMES.includes(`${PREFIX}${family}`),
).map((model) => ({ alias: `${PREFIX}${model.name}`, model }))

/** Its five sizes, each as the best file that is here, else the one to install; then what else is in the box. @param isHere by the file's name */
export const voiceboxModels = (isHere: (file: string) => boolean): NamedModel[] => {
  const sizes = NAMES.map((alias) => {
    const candidates = modelsCalled(plainModelName(alias) ?? '')
    const here = candidates.filter(({ file }) => isHere(file)).toSorted(byQuality)
    return { alias, model: here[0] ?? modelToInstall(candidates)! }
  })
  return [...sizes, ...IN_THE_BOX]
}

/** What Voicebox calls a model of the catalogue; null for one that it does not know. */
export const voiceboxNameOf = (name: string): string | null => {
  const { family } = CATALOGUE.find((model) => model.name === name) ?? {}
  return NAMES.find((alias) => plainModelName(alias) === family) ?? null
}
