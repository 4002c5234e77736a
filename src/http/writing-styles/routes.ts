import type { Route } from '../contract/route.ts'
import { replaceStyleRoute, updateStyleRoute } from './change.ts'
import { createStyleRoute } from './create.ts'
import { setDefaultStyleRoute } from './default.ts'
import { deleteStyleRoute } from './delete.ts'
import { getStyleRoute } from './get.ts'
import { listStylesRoute } from './list.ts'
import { matchStyleRoute } from './match.ts'
import { type PreviewDeps, previewStyleRoute } from './preview.ts'
import { resetStyleRoute } from './reset.ts'

export const writingStyleRoutes = (deps: PreviewDeps): Route[] => [
  listStylesRoute(deps.styles),
  createStyleRoute(deps),
  getStyleRoute(deps.styles),
  replaceStyleRoute(deps),
  updateStyleRoute(deps),
  deleteStyleRoute(deps.styles),
  matchStyleRoute(deps.styles),
  resetStyleRoute(deps.styles),
  setDefaultStyleRoute(deps.styles),
  previewStyleRoute(deps),
]
