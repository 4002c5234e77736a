// The wire form of the settings: snake_case names, and `auto` where src/settings has null.

import { type TObject, type TProperties, type TSchema, Type } from '@sinclair/typebox'
import { KEY_VARIABLE_PATTERN } from '../../lib/openai-server.ts'
import { nullable, uuid } from '../../lib/schema.ts'
import { wireName } from '../../lib/schema-mapping.ts'
import type { Warning } from '../../lib/warning.ts'
import { DEFAULT_SETTINGS, type Settings, SettingsSchema } from '../../settings/settings.ts'
import { language, languageOrAuto } from '../fields/fields.ts'
import { warningsField } from '../fields/segment.ts'
import { strictObject, text } from '../kernel/schema.ts'

/** Voicebox's clients expect a string for these settings, so null becomes this word on the wire. */
const AUTO = 'auto'
const AUTOMATIC = {
  sttModel: text({
    minLength: 1,
    maxLength: 100,
    description: 'name of a model; `auto` selects the best installed one',
  }),
  language: languageOrAuto('language for requests that name none; `auto` detects it'),
  llmModel: text({
    minLength: 1,
    maxLength: 200,
    description: 'name on the language model server; `auto` leaves the choice to that server',
  }),
} satisfies Partial<Record<keyof Settings, TSchema>>

const isAutomatic = (name: string) => name in AUTOMATIC

const NAMES = Object.keys(SettingsSchema.properties) as (keyof Settings)[]

/** Stored with the writing styles, of which exactly one is the default; the settings only expose it. */
const defaultStyle = {
  default_writing_style_id: uuid({ description: 'the writing style that applies if no other matches' }),
}

/** As in the settings, but each language may be written in any accepted form. */
const candidates = { ...SettingsSchema.properties.languages, items: language() } as TSchema

/** Keyed by wire name. */
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

/** Accepted in a change, but not a setting. */
const beside = {
  confirm_removal: Type.Boolean({
    description: 'true removes the captures announced in `warnings` immediately instead of a day later',
  }),
}

const keyVariable = (name: 'llmApiKeyEnv' | 'engineKeyEnv') =>
  nullable(
    text({
      maxLength: 100,
      pattern: KEY_VARIABLE_PATTERN,
      description: SettingsSchema.properties[name].description ?? '',
    }),
  )

/** Stricter than in responses: an older version allowed any variable name. */
const keyVariables = {
  llm_api_key_env: keyVariable('llmApiKeyEnv'),
  engine_key_env: keyVariable('engineKeyEnv'),
}

/** Ignores unknown keys, and null for settings that cannot be null: Voicebox's clients send both. */
export const SettingsChangeSchema: TObject = Type.Object(
  Object.fromEntries(
    Object.entries({ ...wireProperties, ...keyVariables, ...beside }).map(([name, schema]) => [
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

/** The default style in a checked body; null keeps the current one. */
export const chosenStyle = (body: Record<string, unknown>): string | null =>
  (body.default_writing_style_id as string | null | undefined) ?? null

/** Whether a checked body confirms the announced removal. */
export const isConfirmed = (body: Record<string, unknown>): boolean => body.confirm_removal === true

/** The changes in a checked body. */
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
