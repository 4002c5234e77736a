import type { Route } from '../kernel/route.ts'
import { type LiveRouteDeps, liveRoute } from './live/live.ts'
import type { TranscribeRouteDeps } from './stream.ts'
import { transcribeRoute } from './transcribe.ts'

export const transcribeRoutes = (deps: TranscribeRouteDeps & LiveRouteDeps): Route[] => [
  transcribeRoute(deps),
  liveRoute(deps),
]
