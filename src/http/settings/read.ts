import { defineRoute } from '../contract/route.ts'
import { type SettingsDeps, settingsBody, settingsContent } from './settings-response.ts'

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
      responses: { 200: { description: 'The settings', content: settingsContent } },
    },
    async () => Response.json(await settingsBody(deps)),
  )
