import type { Route } from '../kernel/route.ts'
import type { Metrics } from '../server/metrics-registry.ts'
import { type EventsDeps, eventsRoute } from './events.ts'
import { type FilesystemDeps, filesystemHealthRoute, type HealthDeps, healthRoute } from './health.ts'
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
