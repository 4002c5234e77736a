// Builds the web application from what it is given.
// Never listens and never reads the environment; main.ts and the tests do that.

import { type App, composeApp, type WebOptions } from './http/compose-app.ts'
import type { Route } from './http/route.ts'

export type AppDependencies = WebOptions

export const createRoutes = (_deps: AppDependencies): Route[] => []

export const createApp = (deps: AppDependencies): Promise<App> => composeApp(createRoutes(deps), deps)
