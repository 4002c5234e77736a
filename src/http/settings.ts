// GET, PUT and PATCH /settings/captures: what a person changes while the server runs.
// What the settings are is src/settings; here they are told, checked and changed.

import { LIMITS } from '../captures/retention.ts'
import type { RetentionKeeper } from '../captures/retention-keeper.ts'
import { needsOf, unknownLanguages } from '../dictation/known-languages.ts'
import { asSentence, didYouMean } from '../lib/nearest.ts'
import type { Warning } from '../lib/warning.ts'
import type { Settings } from '../settings/settings.ts'
import type { SettingsStore } from '../settings/settings-store.ts'
import type { WritingStyles } from '../writing/styles.ts'
import { faultOf } from './at-once.ts'
import { nearestField } from './field-names.ts'
import { llmWarnings } from './llm-warnings.ts'
import { type FindsModels, modelFault } from './model-fields.ts'
import { type Fault, type Problem, problemResponse } from './problem.ts'
import { defineRoute, type Route, type Sent } from './route.ts'
import { ignoredNames } from './schema.ts'
import { destinationFaults, destinationsRefused } from './settings-destinations.ts'
import {
  chosenStyle,
  isConfirmed,
  SettingsChangeSchema,
  settingsChange,
  settingsExample,
  WireSettingsSchema,
  wireSettings,
} from './settings-schema.ts'

export type SettingsDeps = {
  settings: SettingsStore
  models: FindsModels
  retention: Pick<RetentionKeeper, 'announce' | 'confirm' | 'warnings'>
  /** they hold which is the default; among the settings it is only shown and chosen */
  styles: Pick<WritingStyles, 'default' | 'get' | 'setDefault'>
}

const content = { 'application/json': { schema: WireSettingsSchema, example: settingsExample } }

export const settingsRoutes = (deps: SettingsDeps): Route[] => [
  readRoute(deps),
  changeRoute(deps, 'PUT'),
  changeRoute(deps, 'PATCH'),
]

const readRoute = (deps: SettingsDeps) =>
  defineRoute(
    {
      method: 'GET',
      path: '/settings/captures',
      operationId: 'getSettings',
      summary: 'Get the settings',
      description:
        'All of them, also those that only clients act on. `warnings` names those that cannot be followed, such as a language that the chosen model does not know, and tells what the limits are about to remove.',
      tag: 'settings',
      responses: { 200: { description: 'The settings', content } },
    },
    async () => Response.json(await shown(deps)),
  )

const changeRoute = (deps: SettingsDeps, method: 'PUT' | 'PATCH') =>
  defineRoute(
    {
      method,
      path: '/settings/captures',
      operationId: method === 'PUT' ? 'putSettings' : 'changeSettings',
      summary: 'Change settings',
      description:
        'Only what is given changes, at once and durably; unknown keys are ignored and named in `warnings`, and null is ignored where a setting cannot be null. One wrong value changes nothing. Where limits would remove more than a tenth of all captures, or the clock of the computer has jumped, `warnings` says so and nothing is removed for a day; `confirm_removal: true` has it done at once.',
      tag: 'settings',
      body: {
        kind: 'json',
        schema: SettingsChangeSchema,
        example: { language: 'en', auto_refine: true, typing_wpm: 60 },
      },
      lookUp: (sent) => wrongIn(deps, sent),
      responses: { 200: { description: 'All settings after the change', content } },
      problems: ['disk_full', 'database_unavailable'],
    },
    async (request, { body, connection: { port } }) => {
      const { settings, styles, retention } = deps
      const change = settingsChange(body as Record<string, unknown>)
      const refused = destinationsRefused({ request, port }, change, settings.current())
      if (refused) return problemResponse(refused)
      const style = chosenStyle(body as Record<string, unknown>)
      if (style === null || style.toLowerCase() === styles.default().id) await settings.change(change)
      else {
        const carryOut = () => styles.setDefault(style)
        const changed = await settings.changeWith(change, { styleId: style, carryOut })
        // It was deleted since it was looked up.
        if (!changed.ok) return problemResponse(faultOf(NO_STYLE))
      }
      if (LIMITS.some((limit) => limit in change)) await retention.announce()
      if (isConfirmed(body as Record<string, unknown>)) retention.confirm()
      return Response.json(await shown(deps, unknownKeys(body as Record<string, unknown>)))
    },
  )

async function shown({ settings, styles, models, retention }: SettingsDeps, besides: Warning[] = []) {
  const now = settings.current()
  const warnings = [
    ...besides,
    ...(await modelWarnings(models, now)),
    ...llmWarnings(now),
    ...retention.warnings(),
  ]
  return wireSettings(now, { defaultStyleId: styles.default().id, warnings })
}

/** Of the model that the settings name, and of the languages that the one in use does not know. */
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
  const instead = `Until it can be used, recordings are heard with ${used.value.name}.`
  return [{ code, message: `${message} ${instead}` }, ...unknown]
}

/** So many misspelt names are told; a body may be full of them. */
const MAX_UNKNOWN_KEYS = 10

/** What was passed over in a change, and what was perhaps meant. */
const unknownKeys = (body: Record<string, unknown>): Warning[] =>
  ignoredNames(SettingsChangeSchema, body)
    // What GET told may be put back.
    .filter((name) => name !== 'warnings')
    .slice(0, MAX_UNKNOWN_KEYS)
    .map((name) => {
      const meant = didYouMean(nearestField(name, Object.keys(SettingsChangeSchema.properties)))
      const message = asSentence(
        `${JSON.stringify(name.slice(0, 100))} is no setting and was ignored${meant}`,
      )
      return { code: 'unknown_setting', message }
    })

const NO_STYLE: Fault = { in: 'body', path: '/default_writing_style_id', message: 'names no writing style' }

/** What no schema can tell, such as names of things that must exist. A model need not be installed yet. */
async function wrongIn({ models, styles }: SettingsDeps, { body }: Sent): Promise<(Problem | null)[]> {
  const { sttModel, ...change } = settingsChange(body)
  const style = chosenStyle(body)
  return [
    await modelFault(models, sttModel),
    ...destinationFaults(change).map(faultOf),
    style !== null && styles.get(style) === null ? faultOf(NO_STYLE) : null,
  ]
}
