// Sentences for users on how to install a model.

import { BUNDLED_MODELS, CATALOGUE, type CatalogueModel } from './catalogue.ts'
import { exactName } from './model-name.ts'

/** Contains no path, because clients receive it; GET /health/filesystem returns the folders. */
const MODELS_FOLDER = 'the models folder (DICTATION_MODELS_DIR; GET /health/filesystem shows its path)'

export const howToInstall = ({ file, sha256, expectedSizeMb, repository, ...model }: CatalogueModel) =>
  `download it with POST /models/download or "npm run get-model -- ${exactName(model)}", or put the file ${file} (${expectedSizeMb} MB, SHA-256 ${sha256}) from the Hugging Face repository ${repository} into ${MODELS_FOLDER}`

/** For a default model that is too slow. @param realTimeFactor seconds of work per second of speech */
export const tooSlowHint = (tooSlow: string, realTimeFactor: number, hears: string): string => {
  const knows = CATALOGUE.find(({ name }) => name === hears)?.multilingual ? '' : ', which knows English only'
  return `${tooSlow} takes ${realTimeFactor.toFixed(1)} s per second of speech on this computer, so the default model is ${hears}${knows}. To use ${tooSlow} anyway, set stt_model or DICTATION_MODEL.`
}

const RECOMMENDED = CATALOGUE.filter(({ recommended }) => recommended)

/** Null once a better model than the bundled ones is installed. @param installed names of the installed models */
export const betterModelHint = (installed: string[]): string | null => {
  if (installed.some((name) => !BUNDLED_MODELS.includes(name))) return null
  const files = RECOMMENDED.map(
    ({ file, multilingual, expectedSizeMb }) =>
      `${file} (${multilingual ? '99 languages' : 'English'}, ${expectedSizeMb} MB)`,
  )
  return `Only the bundled models are installed (${BUNDLED_MODELS.join(', ')}). For better accuracy, install ${files.join(' or ')} with POST /models/download or "npm run get-model".`
}
