// Mounts the routes on Elysia, with the table of their addresses: 404, 405, HEAD, and the problems that exceptions become.

import type { Elysia } from 'elysia'
import {
  DatabaseDamagedError,
  DatabaseDiskError,
  DatabaseUnavailableError,
} from '../../lib/database-errors.ts'
import { asSentence, didYouMean } from '../../lib/did-you-mean.ts'
import { isDiskFull } from '../../lib/disk-space.ts'
import type { Log } from '../../lib/log.ts'
import { type OsErrorKind, osErrorKind, systemReason } from '../../lib/os-errors.ts'
import { StoreError } from '../../store/store.ts'
import type { Connection } from '../kernel/connection.ts'
import { type Problem, problemResponse } from '../kernel/problem.ts'
import { createInputReader, type Route } from '../kernel/route.ts'
import { nearestAddress } from './origins.ts'

type Listed = { method: string; path: string }

export type RouteTable = {
  /** the routes with exactly this address, else those whose template matches, such as `/captures/{id}`, in order */
  at(path: string): readonly Listed[]
  /** those that a hint may name */
  addresses: readonly string[]
}

/** @param files static files, which no hint names */
export function createRouteTable(routes: readonly Listed[], files: readonly Listed[] = []): RouteTable {
  const byAddress = Map.groupBy([...routes, ...files], ({ path }) => path)
  const addresses = [...new Set(routes.map(({ path }) => path))]
  const templates = Map.groupBy(
    addresses.filter((address) => address.includes('{')).map((address) => address.split('/')),
    ({ length }) => length,
  )
  return {
    addresses,
    at(path) {
      // `/captures/export` is a separate address, and not the capture with the id "export".
      const exact = byAddress.get(path)
      if (exact) return exact
      const parts = path.split('/')
      const fitting = templates.get(parts.length)?.filter((template) => fits(template, parts)) ?? []
      return fitting.flatMap((template) => byAddress.get(template.join('/')) ?? [])
    },
  }
}

const fits = (template: readonly string[], parts: readonly string[]): boolean =>
  template.every((part, at) => (part.startsWith('{') ? parts[at] !== '' : part === parts[at]))

/** The path of a request as routes are written, without a trailing slash. */
export function routePath({ url }: Pick<Request, 'url'>): string {
  // An invalid Host header makes the URL invalid.
  const pathname = URL.parse(url)?.pathname ?? ''
  return pathname.length > 1 && pathname.endsWith('/') ? pathname.slice(0, -1) : pathname
}

function routeNotFound(request: Request, table: RouteTable): Problem {
  const path = routePath(request)
  const taken = table.at(path)
  if (taken.length > 0) return methodNotAllowed(request, taken)
  const detail = `Nothing is served at this address${didYouMean(nearestAddress({ method: request.method, path }, table.addresses))}`
  return { code: 'no_such_route', detail: `${asSentence(detail)} See GET /docs for all addresses.` }
}

/** @param taken the routes of the address */
function methodNotAllowed(request: Request, taken: ReturnType<RouteTable['at']>): Problem {
  const methods = new Set(taken.map(({ method }) => method))
  if (methods.has('GET')) methods.add('HEAD')
  const allow = [...methods].sort().join(', ')
  return {
    code: 'method_not_allowed',
    detail: `This address allows ${allow}, not ${request.method}.`,
    headers: { allow },
  }
}

/** HEAD runs as GET, without the body in the response: Elysia's own HEAD reports a Content-Length of 0. */
export function asGet(request: Request): Request {
  const get = new Request(request, { method: 'GET' })
  // Range is only defined for GET (RFC 9110, section 14.2).
  get.headers.delete('range')
  return get
}

export async function withoutBody(response: Response): Promise<Response> {
  const { status, headers } = response
  // An event stream has no end to wait for.
  const isEndless = headers.get('content-type')?.startsWith('text/event-stream') === true
  if (isEndless || headers.has('content-length')) await response.body?.cancel()
  else headers.set('content-length', String((await response.blob()).size))
  return new Response(null, { status, headers })
}

/** Logs an exception and returns the problem for the client, without internal details. */
export function internalError(error: unknown, log: Log): Problem {
  if (isDiskFull(error)) {
    log.error({ code: error.code }, 'the disk is full')
    return {
      code: 'disk_full',
      detail: 'The disk is full, so nothing was changed. Free some space and try again.',
    }
  }
  if (error instanceof DatabaseUnavailableError) {
    log.error({ reason: error.message }, 'the database is unavailable')
    return databaseProblem(error)
  }
  if (error instanceof StoreError) {
    log.error({ reason: error.message }, 'the store of the recordings is unavailable')
    return STORE_UNAVAILABLE
  }
  const trouble = osErrorKind(error)
  if (trouble !== null) {
    const reason = systemReason(error) ?? String(error)
    log.error({ reason }, 'a request failed because of an operating system error')
    return TROUBLES[trouble](systemReason(error))
  }
  const errorId = crypto.randomUUID()
  const cause = error instanceof Error ? { name: error.name, message: error.message, stack: error.stack } : {}
  log.error({ error_id: errorId, error: cause }, 'unexpected error while responding to a request')
  return {
    code: 'internal_error',
    detail: `The server failed to respond. Search its log for ${errorId}.`,
    errorId,
  }
}

/** Also returned before work starts that could run out of file handles halfway. */
export const NO_HANDLES: Problem = {
  code: 'no_handles_left',
  detail:
    'The server has almost reached the limit for open files and connections (ulimit -n), so it accepts no more work for now; try again in a moment.',
  headers: { 'retry-after': '5' },
}

const TROUBLES: Record<OsErrorKind, (reason: string | null) => Problem> = {
  files: (reason) => ({
    code: 'storage_unavailable',
    detail: `The server's files cannot be read or written${reason === null ? '' : `: ${reason}`}. Fix this and try again.`,
    headers: { 'retry-after': '30' },
  }),
  handles: () => NO_HANDLES,
  size: () => ({
    code: 'file_too_large',
    detail:
      'The file is larger than the system allows (ulimit -f, or a disk formatted with FAT32), so it was not stored.',
  }),
}

export function databaseProblem(reason: DatabaseUnavailableError): Problem {
  if (reason instanceof DatabaseDamagedError) return DATABASE_DAMAGED
  return reason instanceof DatabaseDiskError ? DATABASE_REOPENED : DATABASE_UNAVAILABLE
}

const STORE_UNAVAILABLE: Problem = {
  code: 'storage_unavailable',
  detail:
    'The store of the recordings does not answer. New recordings are still accepted; try again in a moment.',
  headers: { 'retry-after': '5' },
}

const DATABASE_REOPENED: Problem = {
  code: 'database_unavailable',
  detail:
    'The disk failed a write, so the database is being reopened. Nothing of this request was stored; send it again in a moment.',
  headers: { 'retry-after': '5' },
}

const DATABASE_UNAVAILABLE: Problem = {
  code: 'database_unavailable',
  detail: 'The database does not answer. Recordings are still stored; try again in a moment.',
  headers: { 'retry-after': '5' },
}

const DATABASE_DAMAGED: Problem = {
  code: 'database_damaged',
  detail:
    'The database is damaged and is being rebuilt from the files, without loss of data; try again in a moment.',
  headers: { 'retry-after': '5' },
}

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
