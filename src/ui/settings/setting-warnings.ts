// Warnings and faults of the settings in words for users: the server's messages name fields of its API.

import { wholeMomentText } from '../parts/formats.ts'
import { counted, filled, strings } from '../strings/strings.ts'
import type { SettingField } from './setting-groups.ts'

export type AnnouncedRemoval = { captures: number; audio: number; at: string; isByClock: boolean }

/** The numbers in the message of the warning `removal_announced`; null if it is written otherwise. */
export function announcedRemoval(message: string): AnnouncedRemoval | null {
  const at = /\d{4}-\d\d-\d\dT[\d:.]+Z/.exec(message)?.[0]
  if (at === undefined) return null
  const number = (pattern: RegExp) => Number(pattern.exec(message)?.[1] ?? 0)
  return {
    captures: number(/(?<!audio of )\b(\d+) captures?\b/),
    audio: number(/audio of (\d+) captures?\b/),
    at,
    isByClock: message.includes('clock'),
  }
}

export function warningText({ code, message }: { code: string; message: string }): string {
  const { warnings } = strings.value.settings
  if (code === 'removal_announced') return removalText(message)
  if (code === 'unknown_model' || code.startsWith('model_')) return warnings.model
  const known: Record<string, string> = {
    llm_not_configured: warnings.llmNotConfigured,
    llm_key_refused: warnings.llmKeyRefused,
    language_ignored: warnings.languageIgnored,
  }
  return known[code] ?? message
}

function removalText(message: string): string {
  const { warnings } = strings.value.settings
  const removal = announcedRemoval(message)
  if (removal === null) return message
  const { captures, audio, at, isByClock } = removal
  const what = [
    ...(captures > 0 ? [counted(captures, warnings.recordings)] : []),
    ...(audio > 0 ? [counted(audio, warnings.audioOf)] : []),
  ].join(', ')
  const text = filled(warnings.removal, { what, when: wholeMomentText(at) })
  return isByClock ? `${warnings.clock} ${text}` : text
}

/** @param message the server's, which follows the name of the field: "must be a whole number from 1 to 400" */
export function settingFaultText(field: SettingField, label: string, message: string): string {
  const { faults } = strings.value.settings
  if (field.kind === 'number') return filled(faults.number, { min: field.min, max: field.max })
  if (field.kind === 'keys') return faults.keys
  if (field.name === 'llm_api_key_env') return faults.keyVariable
  if (field.kind === 'address') return message.includes('password') ? faults.addressWithKey : faults.address
  return `${label} ${message}.`
}
