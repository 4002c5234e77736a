import type { Route } from '../kernel/route.ts'
import {
  clearCommandRunsRoute,
  createCommandRoute,
  deleteCommandRoute,
  getCommandRoute,
  listCommandRunsRoute,
  listCommandsRoute,
  replaceCommandRoute,
  type SavedCommandsDeps,
} from './commands.ts'
import { type RunCommandDeps, runCommandRoute } from './run.ts'

export const commandRoutes = (deps: RunCommandDeps & SavedCommandsDeps): Route[] => [
  runCommandRoute(deps),
  listCommandsRoute(deps),
  createCommandRoute(deps),
  listCommandRunsRoute(deps),
  clearCommandRunsRoute(deps),
  getCommandRoute(deps),
  replaceCommandRoute(deps),
  deleteCommandRoute(deps),
]
