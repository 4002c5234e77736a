import { LIMITS } from '../../captures/retention.ts'
import { didYouMean } from '../../lib/did-you-mean.ts'
import type { Warning } from '../../lib/warning.ts'
import { nearestField } from '../contract/field-names.ts'
import { pointerTo } from '../contract/input.ts'
import { faultOf } from '../contract/merge-errors.ts'
import { type Fault, type Problem, problemResponse } from '../contract/problem.ts'
import { defineRoute, type ParsedRequest } from '../contract/route.ts'
import { ignoredNames } from '../contract/schema.ts'
import { modelFault } from '../fields/model.ts'
import { destinationFaults, destinationsRefused } from './destinations.ts'
import { chosenStyle, isConfirmed, SettingsChangeSchema, settingsChange } from './schema.ts'
import { type SettingsDeps, settingsBody, settingsContent } from './settings-response.ts'

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
      responses: { 200: { description: 'All settings after the change', content: settingsContent } },
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
