// Builds the web application from what it is given: guard, routes, documentation, errors.
// Never listens and never reads the environment; main.ts and the tests do that.

import { Elysia } from 'elysia'
import type { Engine } from './engine/engine.ts'
import { type Connection, directConnection } from './http/connection.ts'
import { answerErrors, internalError } from './http/errors.ts'
import { createGuard } from './http/guard.ts'
import { problemResponse } from './http/problem.ts'
import { completeHeaders } from './http/response-headers.ts'
import { type Route, registerRoutes } from './http/route.ts'
import type { Log } from './lib/log.ts'

export type AppDependencies = {
  config: { port: number; token: string | null; origins: string[] }
  log: Log
  version: string
  engine: Engine
  routes: readonly Route[]
}

export type App = {
  /** Answers every request, whoever makes it and whatever goes wrong; never throws. */
  fetch(request: Request, connection?: Connection): Promise<Response>
}

export async function createApp({ config, log, routes }: AppDependencies): Promise<App> {
  const connections = new WeakMap<Request, Connection>()
  const connectionOf = (request: Request) => connections.get(request) ?? directConnection(config.port)
  const elysia = new Elysia({ strictPath: true })
  answerErrors(elysia, log)
  registerRoutes(elysia, routes, connectionOf)
  const guard = createGuard({
    token: config.token,
    origins: config.origins,
    openPaths: routes.filter(({ contract }) => contract.open).map(({ contract }) => contract.path),
  })

  async function answer(request: Request, connection: Connection): Promise<Response> {
    try {
      const refusal = guard(request, connection)
      if (refusal) return refusal
      connections.set(request, connection)
      return await elysia.handle(request)
    } catch (error) {
      return problemResponse(internalError(error, log))
    }
  }

  return {
    async fetch(request, connection = directConnection(config.port)) {
      return completeHeaders(request, await answer(request, connection), config.origins)
    },
  }
}
