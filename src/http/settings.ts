// GET, PUT and PATCH /settings/captures: what a person changes while the server runs.
// What the settings are is src/settings; here they are told, checked and changed.

import { parseBaseUrl } from '../models/hub-address.ts'
import type { Settings } from '../settings/settings.ts'
import type { SettingsStore } from '../settings/settings-store.ts'
import type { WritingStyles } from '../writing/styles.ts'
import type { FindsModels } from './model-fields.ts'
import { type Fault, invalidRequest, problemResponse } from './problem.ts'
import { defineRoute, type Route } from './route.ts'
import {
  chosenStyle,
  SettingsChangeSchema,
  settingsChange,
  settingsExample,
  WireSettingsSchema,
  wireSettings,
} from './settings-schema.ts'

export type SettingsDeps = {
  settings: SettingsStore
  models: FindsModels
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
      description: 'All of them, also those that only clients act on.',
      tag: 'settings',
      responses: { 200: { description: 'The settings', content } },
    },
    () => Response.json(shown(deps)),
  )

const changeRoute = (deps: SettingsDeps, method: 'PUT' | 'PATCH') =>
  defineRoute(
    {
      method,
      path: '/settings/captures',
      operationId: method === 'PUT' ? 'putSettings' : 'changeSettings',
      summary: 'Change settings',
      description:
        'Only what is given changes, at once and durably; unknown keys are ignored, and so is null where a setting cannot be null. One wrong value changes nothing.',
      tag: 'settings',
      body: {
        kind: 'json',
        schema: SettingsChangeSchema,
        example: { language: 'en', auto_refine: true, typing_wpm: 60 },
      },
      responses: { 200: { description: 'All settings after the change', content } },
      problems: ['disk_full', 'database_unavailable'],
    },
    async (_request, { body }) => {
      const change = settingsChange(body as Record<string, unknown>)
      const style = chosenStyle(body as Record<string, unknown>)
      const faults = await faultsOf(deps, change, style)
      if (faults.length > 0) return problemResponse(invalidRequest(faults))
      if (style !== null) await deps.styles.setDefault(style)
      await deps.settings.change(change)
      return Response.json(shown(deps))
    },
  )

const shown = ({ settings, styles }: SettingsDeps) => wireSettings(settings.current(), styles.default().id)

/** What no schema can tell, such as names of things that must exist. A model need not be installed yet. */
async function faultsOf(
  { models, styles }: SettingsDeps,
  { sttModel, modelBaseUrl }: Partial<Settings>,
  style: string | null,
): Promise<Fault[]> {
  const faults: Fault[] = []
  if (sttModel) {
    const model = await models.resolve(sttModel)
    if (!model.ok && model.failure.code === 'unknown_model')
      faults.push({
        in: 'body',
        path: '/stt_model',
        message: 'names no model; GET /models/status lists them',
      })
  }
  const address = modelBaseUrl ? parseBaseUrl(modelBaseUrl) : null
  if (address?.ok === false) faults.push({ in: 'body', path: '/model_base_url', message: address.failure })
  if (style !== null && styles.get(style) === null)
    faults.push({ in: 'body', path: '/default_writing_style_id', message: 'names no writing style' })
  return faults
}
