// Which of our models a name means that was written for OpenAI: its own names stand for whichever is preferred here.
// What our names mean is the model store's.

import type { FindsModels } from '../../fields/model.ts'

/** OpenAI's name for Whisper; the one of its own that a list of models shows. */
export const ANY_MODEL = 'whisper-1'

/** Such as gpt-4o-mini-transcribe, gpt-4o-transcribe-diarize, gpt-realtime-whisper and those to come. */
const TRANSCRIBES = /^gpt-.*(transcribe|realtime)/

/** The name to resolve; null is the preferred model. A `whisper-…` that we know is that one, any other is OpenAI's. */
export async function meantModel(models: FindsModels, name: string | undefined): Promise<string | null> {
  if (name === undefined || name === ANY_MODEL || TRANSCRIBES.test(name)) return null
  if (!name.startsWith('whisper-')) return name
  return (await isKnown(models, name)) ? name : null
}

/**
 * The same for Azure, where the address names a deployment and people call those as they like: the first name that
 * means one of our models counts, and where none does it is the preferred one.
 */
export async function deployedModel(
  models: FindsModels,
  names: readonly (string | undefined)[],
): Promise<string | null> {
  for (const name of names) {
    const meant = await meantModel(models, name)
    if (meant !== null && (await isKnown(models, meant))) return meant
  }
  return null
}

async function isKnown(models: FindsModels, name: string): Promise<boolean> {
  const found = await models.resolve(name)
  return found.ok || found.failure.code !== 'unknown_model'
}
