import type { Route } from '../kernel/route.ts'
import { changeSettingsRoute, readSettingsRoute, type SettingsDeps } from './settings.ts'

export const settingsRoutes = (deps: SettingsDeps): Route[] => [
  readSettingsRoute(deps),
  changeSettingsRoute(deps, 'PUT'),
  changeSettingsRoute(deps, 'PATCH'),
]
