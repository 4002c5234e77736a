// The response of every settings operation: all settings, and warnings for those that cannot be applied.

import type { RetentionKeeper } from '../../captures/retention-keeper.ts'
import { needsOf, unknownLanguages } from '../../dictation/known-languages.ts'
import type { Warning } from '../../lib/warning.ts'
import type { Settings } from '../../settings/settings.ts'
import type { SettingsStore } from '../../settings/settings-store.ts'
import type { WritingStyles } from '../../writing/styles.ts'
import type { FindsModels } from '../fields/model.ts'
import { llmWarnings } from './llm-warnings.ts'
import { settingsExample, WireSettingsSchema, wireSettings } from './schema.ts'

export type SettingsDeps = {
  settings: SettingsStore
  models: FindsModels
  retention: Pick<RetentionKeeper, 'announce' | 'confirm' | 'warnings'>
  /** hold the default style, which the settings only expose */
  styles: Pick<WritingStyles, 'default' | 'get' | 'becomingDefault'>
}

export const settingsContent = {
  'application/json': { schema: WireSettingsSchema, example: settingsExample },
}

export async function settingsBody(
  { settings, styles, models, retention }: SettingsDeps,
  besides: Warning[] = [],
) {
  const now = settings.current()
  const warnings = [
    ...besides,
    ...(await modelWarnings(models, now)),
    ...llmWarnings(now),
    ...retention.warnings(),
  ]
  return wireSettings(now, { defaultStyleId: styles.default().id, warnings })
}

/** Warnings about an unusable model in the settings, and about languages that the model in use does not support. */
async function modelWarnings(
  models: FindsModels,
  { sttModel, language, languages }: Settings,
): Promise<Warning[]> {
  const needs = needsOf(language, 'transcribe')
  const named = await models.resolve(sttModel, needs)
  const used = named.ok ? named : await models.resolve(null, needs)
  if (!used.ok) return [used.failure]
  const unknown = unknownLanguages(used.value, { asked: language, candidates: languages })
  if (named.ok) return unknown
  const { code, message } = named.failure
  const instead = `Until it can be used, ${used.value.name} transcribes recordings.`
  return [{ code, message: `${message} ${instead}` }, ...unknown]
}
