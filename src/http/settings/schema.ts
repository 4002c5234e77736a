// The settings as JSON shows them: the same as src/settings has, with snake_case names and `auto` for "find it out".
// What each may be is said there, once.

import { type TObject, type TProperties, type TSchema, Type } from '@sinclair/typebox'
import { nullable, uuid } from '../../lib/schema.ts'
import { wireName } from '../../lib/schema-mapping.ts'
import type { Warning } from '../../lib/warning.ts'
import { KEY_VARIABLE_PATTERN } from '../../llm/key-variable.ts'
import { DEFAULT_SETTINGS, type Settings, SettingsSchema } from '../../settings/settings.ts'
import { strictObject, text } from '../contract/schema.ts'
import { language, languageOrAuto } from '../fields/language.ts'
import { warningsField } from '../fields/warnings.ts'

/** Voicebox's clients take these for text always, so what is null inside is a word outside. */
const AUTO = 'auto'
const AUTOMATIC = {
  sttModel: text({ minLength: 1, maxLength: 100, description: 'of a model; `auto` is the best installed' }),
  language: languageOrAuto('of requests that name none; `auto` finds it out'),
  llmModel: text({
    minLength: 1,
    maxLength: 200,
    description: 'as the language model server calls it; `auto` is its own choice',
  }),
} satisfies Partial<Record<keyof Settings, TSchema>>

const isAutomatic = (name: string) => name in AUTOMATIC

const NAMES = Object.keys(SettingsSchema.properties) as (keyof Settings)[]

/** Held by the database, where there is always exactly one; among the settings it is shown and chosen. */
const defaultStyle = {
  default_writing_style_id: uuid({ description: 'the writing style where no other matches' }),
}

/** As the settings have them, each however it is written. */
const candidates = { ...SettingsSchema.properties.languages, items: language() } as TSchema

/** By the names on the wire. */
const settingsProperties: TProperties = Object.fromEntries(
  NAMES.map((name) => [
    wireName(name),
    name === 'languages'
      ? candidates
      : (AUTOMATIC[name as keyof typeof AUTOMATIC] ?? SettingsSchema.properties[name]),
  ]),
)

const wireProperties = { ...settingsProperties, ...defaultStyle }

const mayBeNull = (schema: TSchema) =>
  ((schema.anyOf as TSchema[] | undefined) ?? []).some((branch) => branch.type === 'null')

export const WireSettingsSchema = strictObject(
  { ...wireProperties, warnings: warningsField },
  { $id: 'CaptureSettings' },
)

/** No setting, but what may come with a change of them. */
const beside = {
  confirm_removal: Type.Boolean({
    description: 'true: what `warnings` announces is removed at once, and not a day later',
  }),
}

/** Narrower than what is shown: an older version let this name any variable. */
const keyVariable = {
  llm_api_key_env: nullable(
    text({
      maxLength: 100,
      pattern: KEY_VARIABLE_PATTERN,
      description: SettingsSchema.properties.llmApiKeyEnv.description ?? '',
    }),
  ),
}

/** Unknown keys are left alone, and so is null for what cannot be null: Voicebox's clients send both. */
export const SettingsChangeSchema: TObject = Type.Object(
  Object.fromEntries(
    Object.entries({ ...wireProperties, ...keyVariable, ...beside }).map(([name, schema]) => [
      name,
      Type.Optional(mayBeNull(schema) ? schema : nullable(schema)),
    ]),
  ),
  { $id: 'CaptureSettingsChange', additionalProperties: true },
)

export const wireSettings = (
  settings: Settings,
  { defaultStyleId, warnings }: { defaultStyleId: string; warnings: Warning[] },
): Record<string, unknown> => ({
  ...Object.fromEntries(
    NAMES.map((name) => [wireName(name), settings[name] ?? (isAutomatic(name) ? AUTO : null)]),
  ),
  default_writing_style_id: defaultStyleId,
  warnings,
})

/** The default style that a checked body chooses; null leaves it. */
export const chosenStyle = (body: Record<string, unknown>): string | null =>
  (body.default_writing_style_id as string | null | undefined) ?? null

/** Whether a checked body wants removed what was announced. */
export const isConfirmed = (body: Record<string, unknown>): boolean => body.confirm_removal === true

/** What a checked body changes. */
export function settingsChange(body: Record<string, unknown>): Partial<Settings> {
  const changes = NAMES.flatMap((name) => {
    const value = body[wireName(name)]
    if (value === undefined) return []
    if (isAutomatic(name)) return value === null ? [] : [[name, value === AUTO ? null : value]]
    return value === null && !mayBeNull(SettingsSchema.properties[name]) ? [] : [[name, value]]
  })
  return Object.fromEntries(changes)
}

export const settingsExample = wireSettings(DEFAULT_SETTINGS, {
  defaultStyleId: '00000000-0000-7000-8000-000000000001',
  warnings: [],
})
