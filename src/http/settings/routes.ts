import type { Route } from '../contract/route.ts'
import { changeSettingsRoute } from './change.ts'
import { readSettingsRoute } from './read.ts'
import type { SettingsDeps } from './settings-response.ts'

export const settingsRoutes = (deps: SettingsDeps): Route[] => [
  readSettingsRoute(deps),
  changeSettingsRoute(deps, 'PUT'),
  changeSettingsRoute(deps, 'PATCH'),
]
