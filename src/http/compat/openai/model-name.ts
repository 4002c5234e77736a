// Maps OpenAI's model names to the preferred model of this server.

import type { FindsModels } from '../../fields/model.ts'

/** OpenAI's name for Whisper; the only OpenAI name in the list of models. */
export const ANY_MODEL = 'whisper-1'

/** Such as gpt-4o-mini-transcribe, gpt-4o-transcribe-diarize, gpt-realtime-whisper and future names. */
const TRANSCRIBES = /^gpt-.*(transcribe|realtime)/

/** Null selects the preferred model. A known `whisper-…` selects that model; any other counts as OpenAI's. */
export async function meantModel(models: FindsModels, name: string | undefined): Promise<string | null> {
  if (name === undefined || name === ANY_MODEL || TRANSCRIBES.test(name)) return null
  if (!name.startsWith('whisper-')) return name
  return (await isKnown(models, name)) ? name : null
}

/**
 * The same for Azure, whose paths contain a deployment name that the user chose freely. Returns the first name that
 * selects a model of this server, or null for the preferred model.
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
