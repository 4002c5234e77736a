// The models and languages that a recording can be transcribed with, and the choice in the settings.

import { request } from '../server/request.ts'
import type { ListedModel, ModelList } from '../server/wire.ts'
import { writtenLanguagesByName } from './spoken-languages.ts'

export type RecognitionSettings = { language: string; stt_model: string }

/** Without the other names of the same models. */
export async function loadInstalledModels(signal: AbortSignal): Promise<ListedModel[]> {
  const { models } = await request<ModelList>('/models/status', { signal })
  return models.filter(({ downloaded, alias_of }) => downloaded && alias_of === null)
}

export async function loadRecognitionChoices(
  signal: AbortSignal,
): Promise<{ models: ListedModel[]; settings: RecognitionSettings }> {
  const [models, settings] = await Promise.all([
    loadInstalledModels(signal),
    request<RecognitionSettings>('/settings/captures', { signal }),
  ])
  return { models, settings }
}

export const LanguageOptions = () => (
  <>
    {writtenLanguagesByName.value.map(({ code, name }) => (
      <option key={code} value={code}>
        {name}
      </option>
    ))}
  </>
)
