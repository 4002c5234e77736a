// Builds the web application from what it is given: every resource's routes, behind the guard.
// Never listens and never reads the environment; server.ts and main.ts do.

import { captureRoutes } from './http/captures/routes.ts'
import { captureWebhook } from './http/captures/webhook.ts'
import { commandRoutes } from './http/commands/routes.ts'
import { compatRoutes } from './http/compat/routes.ts'
import { type App, composeApp, type WebOptions } from './http/compose-app.ts'
import type { Route } from './http/contract/route.ts'
import { dictionaryRoutes } from './http/dictionary/routes.ts'
import { jobRoutes } from './http/jobs/routes.ts'
import { modelRoutes } from './http/models/routes.ts'
import { databaseProblem } from './http/server/errors.ts'
import { serviceRoutes } from './http/service/routes.ts'
import { settingsRoutes } from './http/settings/routes.ts'
import { transcribeRoutes } from './http/transcribe/routes.ts'
import { writingStyleRoutes } from './http/writing-styles/routes.ts'

/** In the order of the document. */
const ROOMS = [
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
] as const

/** What fulfils each of several, where T is one or another of them. */
type All<T> = (T extends unknown ? (all: T) => void : never) extends (all: infer A) => void ? A : never

/** What the routes of all rooms need together. */
export type AppDependencies = WebOptions & All<Parameters<(typeof ROOMS)[number]>[0]>

/** All routes but those of the documentation, which describes them. */
export const createRoutes = (deps: AppDependencies): Route[] => ROOMS.flatMap((routes) => routes(deps))

/** Requests that the server makes, which the document describes as well. */
export const WEBHOOKS = [captureWebhook]

export const createApp = (deps: AppDependencies): Promise<App> =>
  composeApp(createRoutes(deps), {
    ...deps,
    unavailable: () => (deps.databaseDamaged.aborted ? databaseProblem(deps.databaseDamaged.reason) : null),
    webhooks: WEBHOOKS,
  })
