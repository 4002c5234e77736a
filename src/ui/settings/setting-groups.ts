// The settings of the server, in groups, with their input types. A test fails if one is missing.

import type { ListedModel } from '../server/wire.ts'
import type { Strings } from '../strings/en.ts'

export type SettingName = keyof Strings['settings']['fields']

type Kind =
  | { kind: 'flag' | 'model' | 'engine' | 'language' | 'languages' | 'style' | 'keys' | 'lines' }
  /** `none`: the value that an empty field stands for */
  | { kind: 'text' | 'address'; none: 'auto' | null }
  | { kind: 'number'; min: number; max: number; step?: number; isOptional?: boolean }

export type SettingField = Kind & { name: SettingName }

/** Options that some settings select from. */
export type SettingChoices = { models: ListedModel[]; styles: { id: string; name: string }[] }

/** The props of every input. */
export type SettingInputProps = {
  id: string
  field: SettingField
  value: unknown
  choices: SettingChoices
  /** ids of the help and the error */
  describedBy: string
  isWrong: boolean
  set: (value: unknown) => void
}

export type SettingGroupName = keyof Strings['settings']['groups']

export type SettingGroup = { name: SettingGroupName; fields: readonly SettingField[] }

const YEARS = 36_500
const flag = (name: SettingName): SettingField => ({ name, kind: 'flag' })
const days = (name: SettingName): SettingField => ({
  name,
  kind: 'number',
  min: 1,
  max: YEARS,
  isOptional: true,
})

export const SETTING_GROUPS: readonly SettingGroup[] = [
  {
    name: 'hearing',
    fields: [
      { name: 'stt_model', kind: 'model' },
      { name: 'language', kind: 'language' },
      { name: 'languages', kind: 'languages' },
      { name: 'initial_prompt', kind: 'lines' },
      flag('vad_enabled'),
      { name: 'no_speech_threshold', kind: 'number', min: 0, max: 1, step: 0.05 },
    ],
  },
  {
    name: 'writing',
    fields: [
      flag('apply_dictionary'),
      flag('auto_refine'),
      flag('smart_cleanup'),
      flag('self_correction'),
      flag('preserve_technical'),
      { name: 'default_writing_style_id', kind: 'style' },
    ],
  },
  {
    name: 'llm',
    fields: [
      { name: 'llm_base_url', kind: 'address', none: null },
      { name: 'llm_model', kind: 'text', none: 'auto' },
      { name: 'llm_api_key_env', kind: 'text', none: null },
      { name: 'refine_timeout_ms', kind: 'number', min: 100, max: 600_000, step: 100 },
    ],
  },
  {
    name: 'engine',
    fields: [
      { name: 'engine_url', kind: 'address', none: null },
      { name: 'engine_key_env', kind: 'text', none: null },
    ],
  },
  {
    name: 'keeping',
    fields: [
      { name: 'trash_days', kind: 'number', min: 0, max: YEARS },
      days('retention_days'),
      days('audio_retention_days'),
      { name: 'max_captures', kind: 'number', min: 1, max: 10_000_000, isOptional: true },
      flag('record_app_context'),
    ],
  },
  {
    name: 'clients',
    fields: [
      flag('allow_auto_paste'),
      { name: 'chord_push_to_talk_keys', kind: 'keys' },
      { name: 'chord_toggle_to_talk_keys', kind: 'keys' },
    ],
  },
  {
    name: 'server',
    fields: [
      { name: 'engine', kind: 'engine' },
      { name: 'typing_wpm', kind: 'number', min: 1, max: 400 },
      { name: 'model_idle_unload_seconds', kind: 'number', min: 10, max: 86_400 },
      { name: 'model_base_url', kind: 'address', none: null },
      { name: 'webhook_url', kind: 'address', none: null },
    ],
  },
]

/** The group to show a warning in; other warnings concern transcription. */
export function groupOfWarning(code: string): SettingGroupName {
  if (code.startsWith('llm_')) return 'llm'
  if (code.startsWith('engine_')) return 'engine'
  return code === 'removal_announced' ? 'keeping' : 'hearing'
}
