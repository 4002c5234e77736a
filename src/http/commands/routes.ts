import type { Route } from '../contract/route.ts'
import { createCommandRoute } from './create.ts'
import { deleteCommandRoute } from './delete.ts'
import { getCommandRoute } from './get.ts'
import { clearCommandRunsRoute, listCommandRunsRoute } from './history.ts'
import { listCommandsRoute } from './list.ts'
import { replaceCommandRoute } from './replace.ts'
import { type RunCommandDeps, runCommandRoute } from './run.ts'
import type { SavedCommandsDeps } from './saved-command.ts'

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
