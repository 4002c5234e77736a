// The sentences that tell a person how to get a model.
// Downloads nothing.

import { BUNDLED_MODELS, CATALOGUE, type CatalogueModel } from './catalogue.ts'
import { exactName } from './model-name.ts'

/** Never a path: this goes to clients. GET /health/filesystem names the folders. */
const MODELS_FOLDER = 'the models folder (DICTATION_MODELS_DIR; GET /health/filesystem shows where it is)'

export const howToInstall = ({ file, sha256, expectedSizeMb, repository, ...model }: CatalogueModel) =>
  `download it with POST /models/download or "npm run get-model -- ${exactName(model)}", or put the file ${file} (${expectedSizeMb} MB, SHA-256 ${sha256}) from the Hugging Face repository ${repository} into ${MODELS_FOLDER}`

/** Where the model that would hear takes too long for it. @param realTimeFactor seconds of work for one of speech */
export const tooSlowHint = (tooSlow: string, realTimeFactor: number, hears: string): string => {
  const knows = CATALOGUE.find(({ name }) => name === hears)?.multilingual
    ? ''
    : ', which knows English alone'
  return `${tooSlow} takes ${realTimeFactor.toFixed(1)} s for a second of speech on this computer, so ${hears} hears where no model is named${knows}. The setting stt_model or DICTATION_MODEL chooses ${tooSlow} all the same.`
}

const RECOMMENDED = CATALOGUE.filter(({ recommended }) => recommended)

/** Null once something better than what is bundled is there. @param installed names of the models on this disk */
export const betterModelHint = (installed: string[]): string | null => {
  if (installed.some((name) => !BUNDLED_MODELS.includes(name))) return null
  const files = RECOMMENDED.map(
    ({ file, multilingual, expectedSizeMb }) =>
      `${file} (${multilingual ? '99 languages' : 'English'}, ${expectedSizeMb} MB)`,
  )
  return `Only the models in the box are installed (${BUNDLED_MODELS.join(', ')}). One that makes fewer mistakes is one download away: POST /models/download or "npm run get-model" brings ${files.join(' or ')}.`
}
