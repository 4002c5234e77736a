// What a client may call a model, and which files of the catalogue that can mean.
// Does not look at the disk.

import { closestWord, didYouMean } from '../lib/did-you-mean.ts'
import { fail, type Result, succeed } from '../lib/result.ts'
import { CATALOGUE, type CatalogueModel } from './catalogue.ts'

export type UnknownModel = { code: 'unknown_model'; message: string }

const ALIASES: Record<string, string> = {
  large: 'large-v3',
  turbo: 'large-v3-turbo',
  'large-turbo': 'large-v3-turbo',
}

/** OpenAI's only name for Whisper: whichever there is. */
const ANY_MODEL = 'whisper-1'

/** `whisper-base`, `openai/whisper-base`, `ggml-base.bin`, `Base` → `base`; null leaves the choice to us. */
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

/** A file of exactly that name; `base` may also be any quantization of it. @param name as plainModelName has it */
export const modelsCalled = (name: string): CatalogueModel[] =>
  CATALOGUE.filter((model) => model.name === name || model.family === name || `${model.name}-f16` === name)

/** A name that means this file alone; that of one in f16 means any file of its size. */
export const exactName = ({ name, quantization }: { name: string; quantization: string | null }): string =>
  quantization === 'f16' ? `${name}-f16` : name

/** The one to install where a family is asked for: the smallest file. */
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
    message: `There is no model called ${JSON.stringify(shown)}${question === '' ? '; known' : `${question} Known`} are ${known}, each also with -q5_1, -q5_0 or -q8_0 where it is published.`,
  })
}

/** A file of the user's own goes by the name it is listed under, or its file's, whatever else that could mean. */
const ownModelName = (name: string | null, ownNames: string[]): string | undefined => {
  const lower = name?.trim().toLowerCase() ?? ''
  const ofFile = /^ggml-(.*)\.bin$/.exec(lower)?.[1]
  return ownNames.find((own) => own === lower || own === ofFile)
}

/** Checks a name without looking at the disk; `ownNames` are those of the user's own files. */
export const checkModelName = (
  name: string | null,
  ownNames: string[] = [],
): Result<string | null, UnknownModel> => {
  const plain = ownModelName(name, ownNames) ?? plainModelName(name)
  if (plain === null || ownNames.includes(plain) || modelsCalled(plain).length > 0) return succeed(plain)
  return unknownModel(name ?? '', ownNames)
}
