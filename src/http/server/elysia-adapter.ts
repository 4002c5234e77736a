// The adapter to Elysia: registers routes by their contracts, and validates the input before a handler runs.

import type { Elysia } from 'elysia'
import type { Log } from '../../lib/log.ts'
import type { Connection } from '../contract/connection.ts'
import { problemResponse } from '../contract/problem.ts'
import type { Route } from '../contract/route.ts'
import { createInputReader } from '../contract/route-input.ts'
import { internalError } from './errors.ts'
import { methodNotAllowed, routeNotFound } from './route-not-found.ts'
import { routePath } from './route-path.ts'
import type { RouteTable } from './route-table.ts'

type AdapterOptions = {
  /** of everything the app serves, including routes that are registered elsewhere */
  table: RouteTable
  connectionOf: (request: Request) => Connection
}

export function addRoutes(
  app: Elysia,
  routes: readonly Route[],
  { table, connectionOf }: AdapterOptions,
): void {
  for (const { contract, handle } of routes) {
    const readInput = createInputReader(contract)
    const respond = async (request: Request, params: Record<string, string>): Promise<Response> => {
      const matching = table.at(routePath(request))
      // The router takes `export` in `/captures/export` for an id if that address does not have the method.
      if (matching.length > 0 && !matching.some(({ path }) => path === contract.path))
        return problemResponse(methodNotAllowed(request, matching))
      const input = await readInput(request, params, connectionOf(request))
      return input instanceof Response ? input : handle(request, input)
    }
    // 'none' leaves the body unread: Elysia's own parsers would hold an upload in memory.
    app.route(contract.method, elysiaPath(contract.path), ({ request, params }) => respond(request, params), {
      parse: 'none',
    })
  }
}

/** `/captures/{id}` in Elysia's syntax: `/captures/:id`. */
const elysiaPath = (path: string): string => path.replace(/\{(\w+)\}/g, ':$1')

/**
 * Call this before adding routes: an error hook only applies to routes that are added after it.
 * The response does not reveal a thrown error; it has an id that identifies the error in the log.
 */
export function handleErrors(app: Elysia, { table, log }: { table: RouteTable; log: Log }): void {
  app.onError(({ code, error, request }) =>
    problemResponse(code === 'NOT_FOUND' ? routeNotFound(request, table) : internalError(error, log)),
  )
}
