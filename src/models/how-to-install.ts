// The sentences that tell a person how to get a model.
// Downloads nothing.

import { BUNDLED_MODEL, CATALOGUE, type CatalogueModel } from './catalogue.ts'
import { exactName } from './model-name.ts'

/** Never a path: this goes to clients. GET /health/filesystem names the folders. */
const MODELS_FOLDER = 'the models folder (DICTATION_MODELS_DIR; GET /health/filesystem shows where it is)'

export const howToInstall = ({ file, sha256, expectedSizeMb, repository, ...model }: CatalogueModel) =>
  `download it with POST /models/download or "npm run get-model -- ${exactName(model)}", or put the file ${file} (${expectedSizeMb} MB, SHA-256 ${sha256}) from the Hugging Face repository ${repository} into ${MODELS_FOLDER}`

const RECOMMENDED = CATALOGUE.filter(({ recommended }) => recommended)

/** Null once something better than the bundled model is there. @param installed names of the models on this disk */
export const betterModelHint = (installed: string[]): string | null => {
  if (installed.some((name) => name !== BUNDLED_MODEL)) return null
  const files = RECOMMENDED.map(
    ({ file, multilingual, expectedSizeMb }) =>
      `${file} (${multilingual ? '99 languages' : 'English'}, ${expectedSizeMb} MB)`,
  )
  return `Only the small bundled model ${BUNDLED_MODEL} is installed. A better one is one download away: POST /models/download or "npm run get-model" brings ${files.join(' or ')}.`
}
