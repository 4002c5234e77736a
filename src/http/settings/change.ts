// PUT and PATCH /settings/captures: what a person changes while the server runs.
// What a setting may be is src/settings; which of them a page may not change is destinations.ts.

import { LIMITS } from '../../captures/retention.ts'
import { didYouMean } from '../../lib/did-you-mean.ts'
import type { Warning } from '../../lib/warning.ts'
import { nearestField } from '../contract/field-names.ts'
import { pointerTo } from '../contract/input.ts'
import { faultOf } from '../contract/join-problems.ts'
import { type Fault, type Problem, problemResponse } from '../contract/problem.ts'
import { defineRoute, type Sent } from '../contract/route.ts'
import { ignoredNames } from '../contract/schema.ts'
import { modelFault } from '../fields/model.ts'
import { destinationFaults, destinationsRefused } from './destinations.ts'
import { chosenStyle, isConfirmed, SettingsChangeSchema, settingsChange } from './schema.ts'
import { type SettingsDeps, settingsContent, shownSettings } from './shown.ts'

export const changeSettingsRoute = (deps: SettingsDeps, method: 'PUT' | 'PATCH') =>
  defineRoute(
    {
      method,
      path: '/settings/captures',
      operationId: method === 'PUT' ? 'putSettings' : 'changeSettings',
      summary: 'Change settings',
      description:
        'Only what is given changes, at once and durably; a misspelt key is refused; others that are not known are ignored and named in `warnings`, and null is ignored where a setting cannot be null. One wrong value changes nothing. Where limits would remove more than a tenth of all captures, or the clock of the computer has jumped, `warnings` says so and nothing is removed for a day; `confirm_removal: true` has it done at once.',
      tag: 'settings',
      body: {
        kind: 'json',
        schema: SettingsChangeSchema,
        example: { language: 'en', auto_refine: true, typing_wpm: 60 },
      },
      resolve: (sent) => wrongIn(deps, sent),
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
        // It was deleted since it was looked up.
        if (!changed.ok) return problemResponse(faultOf(NO_STYLE))
      }
      if (LIMITS.some((limit) => limit in change)) await retention.announce()
      if (isConfirmed(body as Record<string, unknown>)) retention.confirm()
      return Response.json(await shownSettings(deps, unknownKeys(body as Record<string, unknown>)))
    },
  )

/** So many names are told; a body may be full of them. */
const MAX_UNKNOWN_KEYS = 10

/** What was passed over in a change: newer clients of Voicebox have settings that mean nothing here. */
const unknownKeys = (body: Record<string, unknown>): Warning[] =>
  unknownNames(body).map((name) => ({
    code: 'unknown_setting',
    message: `${JSON.stringify(name.slice(0, 100))} is no setting and was ignored.`,
  }))

/** What means something here and is misspelt. */
const misspeltFaults = (body: Record<string, unknown>): Fault[] =>
  unknownNames(body).flatMap((name) => {
    const meant = nearestField(name, Object.keys(SettingsChangeSchema.properties))
    const path = pointerTo(name)
    return meant === null ? [] : [{ in: 'body', path, message: `is not known here${didYouMean(meant)}` }]
  })

/** What GET told may be put back. */
const unknownNames = (body: Record<string, unknown>): string[] =>
  ignoredNames(SettingsChangeSchema, body)
    .filter((name) => name !== 'warnings')
    .slice(0, MAX_UNKNOWN_KEYS)

const NO_STYLE: Fault = { in: 'body', path: '/default_writing_style_id', message: 'names no writing style' }

/** What no schema can tell, such as names of things that must exist. A model need not be installed yet. */
async function wrongIn({ models, styles }: SettingsDeps, { body }: Sent): Promise<(Problem | null)[]> {
  const { sttModel, ...change } = settingsChange(body)
  const style = chosenStyle(body)
  return [
    ...misspeltFaults(body).map(faultOf),
    await modelFault(models, sttModel),
    ...destinationFaults(change).map(faultOf),
    style !== null && styles.get(style) === null ? faultOf(NO_STYLE) : null,
  ]
}
