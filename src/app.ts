// Builds the web application: the routes of all resources, behind the guard.

import { captureRoutes } from './http/captures/routes.ts'
import { captureWebhook } from './http/captures/webhook.ts'
import { commandRoutes } from './http/commands/routes.ts'
import { compatRoutes } from './http/compat/routes.ts'
import { type App, composeApp, type WebOptions } from './http/compose-app.ts'
import { dictionaryRoutes } from './http/dictionary/routes.ts'
import { jobRoutes } from './http/jobs/routes.ts'
import type { Route } from './http/kernel/route.ts'
import { mcpRoutes } from './http/mcp/mcp.ts'
import { modelRoutes } from './http/models/routes.ts'
import { databaseProblem } from './http/server/router.ts'
import { serviceRoutes } from './http/service/routes.ts'
import { settingsRoutes } from './http/settings/routes.ts'
import { transcribeRoutes } from './http/transcribe/routes.ts'
import { writingStyleRoutes } from './http/writing-styles/routes.ts'

/** In the order of the OpenAPI document. */
const RESOURCES = [
  transcribeRoutes,
  compatRoutes,
  captureRoutes,
  jobRoutes,
  settingsRoutes,
  dictionaryRoutes,
  writingStyleRoutes,
  commandRoutes,
  modelRoutes,
  serviceRoutes,
  mcpRoutes,
] as const

/** The intersection of a union's members. */
type All<T> = (T extends unknown ? (all: T) => void : never) extends (all: infer A) => void ? A : never

/** The dependencies of all routes together. */
export type AppDependencies = WebOptions & All<Parameters<(typeof RESOURCES)[number]>[0]>

/** All routes except those that compose-app.ts adds. */
export const createRoutes = (deps: AppDependencies): Route[] => RESOURCES.flatMap((routes) => routes(deps))

/** Requests that the server sends; the OpenAPI document describes them, too. */
export const WEBHOOKS = [captureWebhook]

export async function createApp(deps: Omit<AppDependencies, 'callApp'>): Promise<App> {
  const routes = createRoutes({ ...deps, callApp: (request) => app.fetch(request) })
  const app: App = await composeApp(routes, {
    ...deps,
    unavailable: () => (deps.databaseDamaged.aborted ? databaseProblem(deps.databaseDamaged.reason) : null),
    webhooks: WEBHOOKS,
  })
  return app
}
