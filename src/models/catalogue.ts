// The Whisper models in whisper.cpp's model repository, with name, length and SHA-256 of each file; how names are
// written, and how to install one.

import { closestWord, didYouMean } from '../lib/did-you-mean.ts'
import { fail, type Result, succeed } from '../lib/result.ts'
import published from './published.json'

/** Voicebox clients use the last two names too. */
export type ModelSize = 'tiny' | 'base' | 'small' | 'medium' | 'large' | 'turbo'

export type Quantization = 'f16' | 'q8_0' | 'q5_1' | 'q5_0'

export type CatalogueModel = {
  /** `base.en-q5_1`; no suffix means f16 */
  name: string
  /** the name without its quantization: `base.en` */
  family: string
  displayName: string
  size: ModelSize
  quantization: Quantization
  multilingual: boolean
  repository: string
  revision: string
  file: string
  sha256: string
  bytes: number
  expectedSizeMb: number
  /** suggested first download: small enough for most computers, clearly better than the bundled models */
  recommended: boolean
}

/** Shipped with the server, so always available. The first knows 99 languages, the second takes half the work. */
export const BUNDLED_MODELS: readonly string[] = ['base-q5_1', 'tiny.en-q5_1']

const RECOMMENDED = ['small.en-q5_1', 'small-q5_1']

const SIZES: Record<string, ModelSize> = { 'large-v3': 'large', 'large-v3-turbo': 'turbo' }

const TITLES: Record<ModelSize, string> = {
  tiny: 'Whisper Tiny',
  base: 'Whisper Base',
  small: 'Whisper Small',
  medium: 'Whisper Medium',
  large: 'Whisper Large v3',
  turbo: 'Whisper Large v3 Turbo',
}

type Published = (typeof published.models)[number]

const entryOf = ({ name, file, sha256, bytes }: Published): CatalogueModel => {
  const [, family = name, quantization = 'f16'] = /^(.*?)(?:-(q\d_\d))?$/.exec(name) ?? []
  const multilingual = !family.endsWith('.en')
  const bare = family.replace(/\.en$/, '')
  const size = SIZES[bare] ?? (bare as ModelSize)
  const languages = multilingual ? '' : ', English'
  return {
    name,
    family,
    displayName: `${TITLES[size]}${languages} (${quantization})`,
    size,
    quantization: quantization as Quantization,
    multilingual,
    repository: published.repository,
    revision: published.revision,
    file,
    sha256,
    bytes,
    expectedSizeMb: Math.round(bytes / 1_000_000),
    recommended: RECOMMENDED.includes(name),
  }
}

export const CATALOGUE: readonly CatalogueModel[] = published.models.map(entryOf)

/** Ascending accuracy and transcription time. */
const SIZE_ORDER: ModelSize[] = ['tiny', 'base', 'small', 'medium', 'turbo', 'large']

/** q8_0 is as accurate as f16, which is the slowest in WebAssembly. */
const QUANTIZATION_ORDER: Quantization[] = ['f16', 'q5_0', 'q5_1', 'q8_0']

const rank = ({ size, multilingual, quantization }: CatalogueModel) =>
  SIZE_ORDER.indexOf(size) * 100 + (multilingual ? 50 : 0) + QUANTIZATION_ORDER.indexOf(quantization)

/** Largest first. */
export const bySize = (one: CatalogueModel, other: CatalogueModel) =>
  SIZE_ORDER.indexOf(other.size) - SIZE_ORDER.indexOf(one.size)

/** Best first, for requests that leave the choice open. */
export const byQuality = (one: CatalogueModel, other: CatalogueModel) => rank(other) - rank(one)

export type UnknownModel = { code: 'unknown_model'; message: string }

const ALIASES: Record<string, string> = {
  large: 'large-v3',
  turbo: 'large-v3-turbo',
  'large-turbo': 'large-v3-turbo',
}

/** OpenAI's only name for Whisper; means the default model. */
const ANY_MODEL = 'whisper-1'

/** `whisper-base`, `openai/whisper-base`, `ggml-base.bin`, `Base` → `base`; null: the default model. */
export const plainModelName = (name: string | null): string | null => {
  const lower = name?.trim().toLowerCase() ?? ''
  if (lower === '' || lower === ANY_MODEL) return null
  const bare = lower
    .replace(/^openai\//, '')
    .replace(/^(whisper|ggml)-/, '')
    .replace(/\.bin$/, '')
  const [, family = bare, quantization = ''] = /^(.*?)(-(?:q\d_\d|f16))?$/.exec(bare) ?? []
  return (ALIASES[family] ?? family) + quantization
}

/** `base` matches every quantization of it. @param name a result of plainModelName */
export const modelsCalled = (name: string): CatalogueModel[] =>
  CATALOGUE.filter((model) => model.name === name || model.family === name || `${model.name}-f16` === name)

/** A name that means this file only; an f16 file's plain name means any file of its size. */
export const exactName = ({ name, quantization }: { name: string; quantization: string | null }): string =>
  quantization === 'f16' ? `${name}-f16` : name

/** The file to install for a family: the smallest. */
export const modelToInstall = (models: CatalogueModel[]): CatalogueModel | undefined =>
  models.toSorted((one, other) => one.expectedSizeMb - other.expectedSizeMb)[0]

const unknownModel = (name: string, ownNames: string[]): Result<never, UnknownModel> => {
  const families = [...new Set(CATALOGUE.map(({ family }) => family))]
  const known = [...families, ...ownNames].join(', ')
  const shown = name.length > 80 ? `${name.slice(0, 80)}…` : name
  const names = [...families, ...Object.keys(ALIASES), ...CATALOGUE.map(exactName), ...ownNames]
  const question = didYouMean(closestWord(plainModelName(name) ?? '', names))
  return fail({
    code: 'unknown_model',
    message: `There is no model called ${JSON.stringify(shown)}${question === '' ? '.' : question} Known models: ${known}; each also with -q5_1, -q5_0 or -q8_0 if published.`,
  })
}

/** The user's own file matches its listed name or its file name, before any other meaning of the name. */
const ownModelName = (name: string | null, ownNames: string[]): string | undefined => {
  const lower = name?.trim().toLowerCase() ?? ''
  const ofFile = /^ggml-(.*)\.bin$/.exec(lower)?.[1]
  return ownNames.find((own) => own === lower || own === ofFile)
}

/** Checks a name without reading the disk; `ownNames` are the names of the user's own files. */
export const checkModelName = (
  name: string | null,
  ownNames: string[] = [],
): Result<string | null, UnknownModel> => {
  const plain = ownModelName(name, ownNames) ?? plainModelName(name)
  if (plain === null || ownNames.includes(plain) || modelsCalled(plain).length > 0) return succeed(plain)
  return unknownModel(name ?? '', ownNames)
}

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

/** Contains no path, because clients receive it; GET /health/filesystem returns the folders. */
const MODELS_FOLDER = 'the models folder (DICTATION_MODELS_DIR; GET /health/filesystem shows its path)'

export const howToInstall = ({ file, sha256, expectedSizeMb, repository, ...model }: CatalogueModel) =>
  `download it with POST /models/download or "dictation models pull ${exactName(model)}", or put the file ${file} (${expectedSizeMb} MB, SHA-256 ${sha256}) from the Hugging Face repository ${repository} into ${MODELS_FOLDER}`

/** For a default model that is too slow. @param realTimeFactor seconds of work per second of speech */
export const tooSlowHint = (tooSlow: string, realTimeFactor: number, used: string): string => {
  const knows = CATALOGUE.find(({ name }) => name === used)?.multilingual ? '' : ', which knows English only'
  return `${tooSlow} takes ${realTimeFactor.toFixed(1)} s per second of speech on this computer, so the default model is ${used}${knows}. To use ${tooSlow} anyway, set stt_model or DICTATION_MODEL.`
}

/** Null once a better model than the bundled ones is installed. @param installed names of the installed models */
export const betterModelHint = (installed: string[]): string | null => {
  if (installed.some((name) => !BUNDLED_MODELS.includes(name))) return null
  const files = CATALOGUE.filter(({ recommended }) => recommended).map(
    ({ file, multilingual, expectedSizeMb }) =>
      `${file} (${multilingual ? '99 languages' : 'English'}, ${expectedSizeMb} MB)`,
  )
  return `Only the bundled models are installed (${BUNDLED_MODELS.join(', ')}). For better accuracy, install ${files.join(' or ')} with POST /models/download or "dictation models pull".`
}
