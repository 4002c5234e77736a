import type { Route } from '../kernel/route.ts'
import { matchStyleRoute, type PreviewDeps, previewStyleRoute } from './preview.ts'
import {
  createStyleRoute,
  deleteStyleRoute,
  getStyleRoute,
  listStylesRoute,
  replaceStyleRoute,
  resetStyleRoute,
  setDefaultStyleRoute,
  updateStyleRoute,
} from './writing-styles.ts'

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
