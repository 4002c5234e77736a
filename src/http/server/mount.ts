// Makes routes of Elysia from declarations: all input is checked here, and a handler only ever sees what passed.
// What is said where no route answers is no-route.ts, of exceptions errors.ts.

import type { Elysia } from 'elysia'
import type { Log } from '../../lib/log.ts'
import type { Connection } from '../contract/connection.ts'
import { problemResponse } from '../contract/problem.ts'
import type { Route } from '../contract/route.ts'
import { createInputReader } from '../contract/route-input.ts'
import { internalError } from './errors.ts'
import { methodNotAllowed, noRoute } from './no-route.ts'
import { routePath } from './route-path.ts'
import type { RouteTable } from './route-table.ts'

type Mounting = {
  /** of all that the app serves, also what is mounted elsewhere */
  table: RouteTable
  connectionOf: (request: Request) => Connection
}

export function mountRoutes(app: Elysia, routes: readonly Route[], { table, connectionOf }: Mounting): void {
  for (const { contract, handle } of routes) {
    const readInput = createInputReader(contract)
    const answer = async (request: Request, params: Record<string, string>): Promise<Response> => {
      const meant = table.at(routePath(request))
      // The router takes `/captures/export` for an id where the address itself lacks the method.
      if (meant.length > 0 && !meant.some(({ path }) => path === contract.path))
        return problemResponse(methodNotAllowed(request, meant))
      const input = await readInput(request, params, connectionOf(request))
      return input instanceof Response ? input : handle(request, input)
    }
    // 'none' leaves the body alone: Elysia's own parsers would gather an upload in memory.
    app.route(contract.method, elysiaPath(contract.path), ({ request, params }) => answer(request, params), {
      parse: 'none',
    })
  }
}

/** `/captures/{id}` as Elysia writes it: `/captures/:id`. */
const elysiaPath = (path: string): string => path.replace(/\{(\w+)\}/g, ':$1')

/**
 * To be called before any route is added: an error hook only holds for routes that come after it.
 * Nothing of a thrown error is told; the id in the answer finds it in the log.
 */
export function answerErrors(app: Elysia, { table, log }: { table: RouteTable; log: Log }): void {
  app.onError(({ code, error, request }) =>
    problemResponse(code === 'NOT_FOUND' ? noRoute(request, table) : internalError(error, log)),
  )
}
