// Composes routes, guard, documentation and error handling into one function from request to response. The page, the
// documentation and sign-in are part of every app; app.ts passes the other routes.

import { Elysia } from 'elysia'
import type { Log } from '../lib/log.ts'
import { hasSpareHandles } from '../lib/os-errors.ts'
import { inShapeOfAddress } from './compat/error-shape.ts'
import type { describeApi, OpenApiDocument } from './docs/document.ts'
import { createDocsAssets, isPartOfDocs } from './docs/page.ts'
import { docsRoutes } from './docs/routes.ts'
import { type Connection, directConnection, type Webhook } from './kernel/connection.ts'
import { drainBody } from './kernel/json-body.ts'
import { type Problem, problemResponse } from './kernel/problem.ts'
import type { Route } from './kernel/route.ts'
import { createPageAssets, isPartOfPage } from './page/asset-files.ts'
import { rootRoute } from './page/root.ts'
import { createStaticCache } from './server/file-response.ts'
import { createAccess, createGuard, type Users } from './server/guard.ts'
import { completeHeaders } from './server/headers.ts'
import type { Answered } from './server/metrics-registry.ts'
import type { AllowList } from './server/origins.ts'
import {
  addRoutes,
  asGet,
  createRouteTable,
  handleErrors,
  internalError,
  NO_HANDLES,
  routePath,
  withoutBody,
} from './server/router.ts'
import { sessionRoutes } from './service/session.ts'

export type WebOptions = {
  /** `port` is used for calls without a socket */
  config: Partial<AllowList> & { port: number; token: string | null; users: Users }
  log: Log
  version: string
  /** requests that the server sends, for the document */
  webhooks?: readonly Webhook[]
  /** the reason why all routes that are not open are unavailable, or null */
  unavailable?: () => Problem | null
  /** called for every response, for metrics */
  onAnswered?: (answered: Answered) => void
}

export type App = {
  /** Responds to every request; never throws. */
  fetch(request: Request, connection?: Connection): Promise<Response>
  /** The OpenAPI document; built at the first call. */
  document(): Promise<OpenApiDocument>
}

export async function composeApp(resources: readonly Route[], options: WebOptions): Promise<App> {
  const { config, log, version } = options
  const { origins = [], hostNames = [] } = config
  let described: Promise<OpenApiDocument> | null = null
  const document = () => {
    described ??= describe(contracts, {
      version,
      token: config.token !== null,
      ...(options.webhooks && { webhooks: options.webhooks }),
    })
    return described
  }
  const access = createAccess({ token: config.token })
  const routes = [...resources, ...sessionRoutes(access), ...docsRoutes(document), rootRoute({ version })]
  const contracts = routes.map(({ contract }) => contract)

  const connections = new WeakMap<Request, Connection>()
  const connectionOf = (request: Request) => connections.get(request) ?? directConnection(config.port)
  const [docsAssets, pageAssets] = await Promise.all([createDocsAssets(), createPageAssets()])
  const table = createRouteTable(contracts, [...docsAssets.routes, ...pageAssets.routes])
  const elysia = new Elysia()
  handleErrors(elysia, { table, log })
  addRoutes(elysia, routes, { table, connectionOf })
  elysia.use(docsAssets).use(pageAssets)
  const isStatic = (path: string) => isPartOfDocs(path) || isPartOfPage(path)
  const cached = createStaticCache(isStatic)
  const openRoutes = new Set(contracts.filter(({ open }) => open).map(({ path }) => path))
  // A page cannot send a token to load its files. They are public: the same in every installation.
  const isOpen = (path: string) => openRoutes.has(path) || isStatic(path)
  const declared = new Set(contracts.map(({ path }) => path))
  /** The route for metrics; null for static files and unknown addresses. */
  const routeOf = (path: string) => table.at(path).find((one) => declared.has(one.path))?.path ?? null
  const guard = createGuard({
    allowList: { origins, hostNames },
    users: config.users,
    isOpen,
    access,
  })

  async function answer(request: Request, connection: Connection): Promise<Response> {
    try {
      const refusal = guard(request, connection)
      if (refusal) return refusal
      const problem = isOpen(routePath(request)) ? null : (options.unavailable?.() ?? lackOfHandles(request))
      if (problem) return problemResponse(problem)
      const effective = request.method === 'HEAD' ? asGet(request) : request
      connections.set(effective, connection)
      const response = await cached(effective, await elysia.handle(effective))
      return effective === request ? response : await withoutBody(response)
    } catch (error) {
      return problemResponse(internalError(error, log))
    }
  }

  return {
    document,
    async fetch(request, connection = directConnection(config.port)) {
      const startedAt = performance.now()
      const path = routePath(request)
      const response = await inShapeOfAddress(path, await answer(request, connection))
      const { status } = response
      const seconds = (performance.now() - startedAt) / 1000
      options.onAnswered?.({ method: request.method, route: routeOf(path), status, seconds })
      await drainBody(request, response)
      return completeHeaders(request, response, origins)
    },
  }
}

const READS = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Checked before work starts. Requests that only read are exempt: they fail at once and lose nothing. */
const lackOfHandles = ({ method }: Request): Problem | null =>
  READS.has(method) || hasSpareHandles() ? null : NO_HANDLES

/** Loads the document builder on first use, so that the start does not wait for it. */
async function describe(...effective: Parameters<typeof describeApi>): Promise<OpenApiDocument> {
  const { describeApi } = await import('./docs/document.ts')
  return describeApi(...effective)
}
