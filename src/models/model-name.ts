// Resolves the names that clients use for models to files of the catalogue.

import { closestWord, didYouMean } from '../lib/did-you-mean.ts'
import { fail, type Result, succeed } from '../lib/result.ts'
import { CATALOGUE, type CatalogueModel } from './catalogue.ts'

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
