// GET /settings/captures: all settings as they are.
// Changing them is change.ts.

import { defineRoute } from '../contract/route.ts'
import { type SettingsDeps, settingsContent, shownSettings } from './shown.ts'

export const readSettingsRoute = (deps: SettingsDeps) =>
  defineRoute(
    {
      method: 'GET',
      path: '/settings/captures',
      operationId: 'getSettings',
      summary: 'Get the settings',
      description:
        'All of them, also those that only clients act on. `warnings` names those that cannot be followed, such as a language that the chosen model does not know, and tells what the limits are about to remove.',
      tag: 'settings',
      responses: { 200: { description: 'The settings', content: settingsContent } },
    },
    async () => Response.json(await shownSettings(deps)),
  )
