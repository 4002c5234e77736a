import { LIMITS } from '../../captures/retention.ts'
import type { RetentionKeeper } from '../../captures/retention-keeper.ts'
import { needsOf, unknownLanguages } from '../../dictation/choose-model.ts'
import type { SpeechDestination } from '../../engine/engine-route.ts'
import { didYouMean } from '../../lib/did-you-mean.ts'
import { keyVariableFault } from '../../lib/openai-server.ts'
import { wireName } from '../../lib/schema-mapping.ts'
import type { Warning } from '../../lib/warning.ts'
import { parseBaseUrl } from '../../models/hub.ts'
import type { Settings } from '../../settings/settings.ts'
import type { SettingsStore } from '../../settings/settings-store.ts'
import type { WritingStyles } from '../../writing/styles.ts'
import { type FindsModels, modelFault } from '../fields/fields.ts'
import { faultOf, pointerTo } from '../kernel/input.ts'
import { type Fault, type Problem, problemResponse } from '../kernel/problem.ts'
import { defineRoute, jsonContent, ok, type ParsedRequest } from '../kernel/route.ts'
import { ignoredNames, nearestField } from '../kernel/schema.ts'
import { foreignPageRefused } from '../server/guard.ts'
import type { OwnAddress } from '../server/origins.ts'
import {
  chosenStyle,
  isConfirmed,
  SettingsChangeSchema,
  settingsChange,
  settingsExample,
  WireSettingsSchema,
  wireSettings,
} from './schema.ts'

export function llmWarnings({ autoRefine, llmBaseUrl, llmApiKeyEnv, llmModel }: Settings): Warning[] {
  const warnings: Warning[] = []
  if (autoRefine && llmModel !== null && llmBaseUrl === null) {
    const message = `llm_model names ${JSON.stringify(llmModel)}, but llm_base_url is not set, so only the rules refine. Set llm_base_url to use the language model.`
    warnings.push({ code: 'llm_not_configured', message })
  }
  // Stored settings are not migrated; an older version allowed any variable name.
  const fault = llmApiKeyEnv === null ? null : keyVariableFault(llmApiKeyEnv)
  if (fault !== null) {
    const message = `llm_api_key_env ${fault}; the language model is not used.`
    warnings.push({ code: 'llm_key_refused', message })
  }
  return warnings
}

/** Why the transcription server of the settings is not used. */
function engineWarnings({ sentTo, problem }: SpeechDestination): Warning[] {
  if (sentTo === null || problem === null) return []
  return [{ code: 'engine_unavailable', message: `${problem} Until it works, this computer transcribes.` }]
}

export type SettingsDeps = {
  settings: SettingsStore
  speechDestination: () => SpeechDestination
  models: FindsModels
  retention: Pick<RetentionKeeper, 'announce' | 'confirm' | 'warnings'>
  /** hold the default style, which the settings only expose */
  styles: Pick<WritingStyles, 'default' | 'get' | 'becomingDefault'>
}

const settingsContent = jsonContent(WireSettingsSchema, settingsExample)

async function settingsBody(deps: SettingsDeps, besides: Warning[] = []) {
  const { settings, styles, models, retention, speechDestination } = deps
  const now = settings.current()
  const warnings = [
    ...besides,
    ...(await modelWarnings(models, now)),
    ...llmWarnings(now),
    ...engineWarnings(speechDestination()),
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
  const unknown = unknownLanguages(used.value, { requested: language, candidates: languages })
  if (named.ok) return unknown
  const { code, message } = named.failure
  const instead = `Until it can be used, ${used.value.name} transcribes recordings.`
  return [{ code, message: `${message} ${instead}` }, ...unknown]
}

export const readSettingsRoute = (deps: SettingsDeps) =>
  defineRoute(
    {
      method: 'GET',
      path: '/settings/captures',
      operationId: 'getSettings',
      summary: 'Get the settings',
      description:
        'Returns all settings, including those that only clients use. `warnings` lists settings that cannot be applied, such as a language that the chosen model does not support, and announces what the limits will remove.',
      tag: 'settings',
      responses: ok('The settings', settingsContent),
    },
    async () => Response.json(await settingsBody(deps)),
  )

const DESTINATIONS = [
  ...(['llmBaseUrl', 'llmApiKeyEnv', 'engineUrl', 'engineKeyEnv'] as const),
  ...(['webhookUrl', 'modelBaseUrl'] as const),
]

/** Any client can read the settings, so they must not contain keys; the text says where a key belongs instead. */
const KEY_PLACES = {
  llmBaseUrl: 'set llm_api_key_env to the name of an environment variable that holds the key',
  engineUrl: 'set engine_key_env to the name of an environment variable that holds the key',
  webhookUrl:
    'deliveries are signed with webhookKey in library.json in the data folder, so that the receiver can verify them',
}

const KEY_SETTINGS = ['llmApiKeyEnv', 'engineKeyEnv'] as const

function destinationFaults({ modelBaseUrl, ...others }: Partial<Settings>): Fault[] {
  const faults: Fault[] = []
  const address = modelBaseUrl ? parseBaseUrl(modelBaseUrl) : null
  if (address?.ok === false) faults.push({ in: 'body', path: '/model_base_url', message: address.failure })
  for (const [name, instead] of Object.entries(KEY_PLACES)) {
    const url = others[name as keyof typeof KEY_PLACES]
    const fault = url ? addressFault(url, instead) : null
    if (fault !== null) faults.push({ in: 'body', path: `/${wireName(name)}`, message: fault })
  }
  for (const name of KEY_SETTINGS) {
    const fault = others[name] ? keyVariableFault(others[name]) : null
    if (fault !== null) faults.push({ in: 'body', path: `/${wireName(name)}`, message: fault })
  }
  return faults
}

function addressFault(text: string, instead: string): string | null {
  const url = URL.parse(text)
  if (url === null) return 'must be an address that begins with http:// or https://'
  if (url.username === '' && url.password === '') return null
  return `must not contain a user name or a password; ${instead}`
}

/**
 * Pages of other origins, including those of installed programs, may use the API. They must not choose where dictated
 * text and keys are sent: that choice would outlast the page and the user's trust in it.
 */
function destinationsRefused(
  origin: { request: Request; listening: OwnAddress },
  change: Partial<Settings>,
  now: Settings,
): Problem | null {
  const changed = DESTINATIONS.filter((name) => change[name] !== undefined && change[name] !== now[name])
  if (changed.length === 0) return null
  return foreignPageRefused(
    origin,
    `change where recordings, text and keys are sent (${changed.map(wireName).join(', ')})`,
  )
}

export const changeSettingsRoute = (deps: SettingsDeps, method: 'PUT' | 'PATCH') =>
  defineRoute(
    {
      method,
      path: '/settings/captures',
      operationId: method === 'PUT' ? 'putSettings' : 'changeSettings',
      summary: 'Change settings',
      description:
        'Changes only the given settings, immediately and durably. A misspelt key is rejected; other unknown keys are ignored and listed in `warnings`. Null is ignored for settings that cannot be null. If any value is invalid, nothing changes. If limits would remove more than a tenth of all captures, or the clock of the computer has jumped, `warnings` reports it and nothing is removed for a day; `confirm_removal: true` removes them immediately.',
      tag: 'settings',
      body: {
        kind: 'json',
        schema: SettingsChangeSchema,
        example: { language: 'en', auto_refine: true, typing_wpm: 60 },
      },
      resolve: (sent) => checkSettings(deps, sent),
      responses: ok('All settings after the change', settingsContent),
      problems: ['disk_full', 'database_unavailable'],
    },
    async (request, { body, connection }) => {
      const { settings, styles, retention } = deps
      const change = settingsChange(body as Record<string, unknown>)
      const refused = destinationsRefused({ request, listening: connection }, change, settings.current())
      if (refused) return problemResponse(refused)
      const style = chosenStyle(body as Record<string, unknown>)
      if (style === null || style.toLowerCase() === styles.default().id) await settings.change(change)
      else {
        const changed = await settings.changeWith(change, () => styles.becomingDefault(style))
        // The style was deleted after the check.
        if (!changed.ok) return problemResponse(faultOf(NO_STYLE))
      }
      if (LIMITS.some((limit) => limit in change)) await retention.announce()
      if (isConfirmed(body as Record<string, unknown>)) retention.confirm()
      return Response.json(await settingsBody(deps, unknownKeys(body as Record<string, unknown>)))
    },
  )

/** Bounds the response; a body may contain any number of unknown keys. */
const MAX_UNKNOWN_KEYS = 10

/** Ignored keys: newer clients of Voicebox send settings that this server does not have. */
const unknownKeys = (body: Record<string, unknown>): Warning[] =>
  unknownNames(body).map((name) => ({
    code: 'unknown_setting',
    message: `${JSON.stringify(name.slice(0, 100))} is not a setting and was ignored.`,
  }))

/** Unknown keys that resemble a known one. */
const misspeltFaults = (body: Record<string, unknown>): Fault[] =>
  unknownNames(body).flatMap((name) => {
    const meant = nearestField(name, Object.keys(SettingsChangeSchema.properties))
    const path = pointerTo(name)
    return meant === null ? [] : [{ in: 'body', path, message: `is not known here${didYouMean(meant)}` }]
  })

/** A client may send back everything that GET returns, so `warnings` is not reported as unknown. */
const unknownNames = (body: Record<string, unknown>): string[] =>
  ignoredNames(SettingsChangeSchema, body)
    .filter((name) => name !== 'warnings')
    .slice(0, MAX_UNKNOWN_KEYS)

const NO_STYLE: Fault = {
  in: 'body',
  path: '/default_writing_style_id',
  message: 'is not the ID of a writing style',
}

/** Checks that no schema can express, such as references to existing items. A model need not be installed yet. */
async function checkSettings(
  { models, styles }: SettingsDeps,
  { body }: ParsedRequest,
): Promise<(Problem | null)[]> {
  const { sttModel, ...change } = settingsChange(body)
  const style = chosenStyle(body)
  return [
    ...misspeltFaults(body).map(faultOf),
    await modelFault(models, sttModel),
    ...destinationFaults(change).map(faultOf),
    style !== null && styles.get(style) === null ? faultOf(NO_STYLE) : null,
  ]
}
