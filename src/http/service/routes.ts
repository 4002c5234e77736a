// The operations that tell how the server is doing and what happens in it.
// Signing in is session.ts, the documentation docs/ and the page page/, which an app of any routes has.

import type { Route } from '../contract/route.ts'
import type { Metrics } from '../server/metrics-registry.ts'
import { type EventsDeps, eventsRoute } from './events.ts'
import { type FilesystemDeps, filesystemHealthRoute } from './filesystem-health.ts'
import { type HealthDeps, healthRoute } from './health.ts'
import { metricsRoute } from './metrics.ts'
import { type TasksDeps, taskRoutes } from './tasks.ts'

export type ServiceDeps = HealthDeps & FilesystemDeps & EventsDeps & TasksDeps & { metrics: Metrics }

export const serviceRoutes = (deps: ServiceDeps): Route[] => [
  eventsRoute(deps),
  ...taskRoutes(deps),
  metricsRoute(deps),
  healthRoute(deps),
  filesystemHealthRoute(deps),
]
