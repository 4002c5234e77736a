// The answer to `describe`: one program for speech recognition, with the installed models and their languages.

import { knowsLanguage } from '../dictation/choose-model.ts'
import { WHISPER_LANGUAGES } from '../engine/languages.ts'
import { SERVICE_NAME } from '../http/server/origins.ts'
import type { ModelStatus } from '../models/installed.ts'
import type { ModelStore } from '../models/store.ts'

export type WyomingInfoDeps = { models: Pick<ModelStore, 'status' | 'choice'>; version: string }

/** The default model is the first. */
export async function wyomingInfo({ models, version }: WyomingInfoDeps): Promise<object> {
  const installed = (await models.status(null)).filter(({ downloaded }) => downloaded)
  const preferred = models.choice().name
  const isDefault = ({ name }: ModelStatus) => name === preferred
  return {
    asr: [
      {
        name: SERVICE_NAME,
        description: 'Local Dictation',
        attribution: { name: 'Local Dictation', url: '' },
        installed: true,
        version,
        models: installed.toSorted((a, b) => Number(isDefault(b)) - Number(isDefault(a))).map(wireModel),
        supports_transcript_streaming: true,
        requires_external_vad: true,
      },
    ],
  }
}

const wireModel = (model: ModelStatus) => ({
  name: model.name,
  description: model.displayName,
  attribution: { name: 'OpenAI', url: 'https://github.com/openai/whisper' },
  installed: true,
  version: null,
  languages: WHISPER_LANGUAGES.filter((language) => knowsLanguage(knowledgeOf(model), language)),
})

/**
 * By name and size only: Home Assistant waits a second for the answer, and reading a large file takes longer. Whisper's
 * English-only models have .en in their names.
 */
const knowledgeOf = ({ name, size, multilingual }: ModelStatus) => ({
  name,
  multilingual: multilingual ?? !/\.en\b/.test(name),
  knowsCantonese: size === null || size === 'large' || size === 'turbo',
})
