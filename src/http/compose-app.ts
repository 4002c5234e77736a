// Puts routes, guard, documentation and error answers together into one function from request to response.
// Of routes it knows those that every app has, the page, documentation and signing in; app.ts hands the resources in.

import { Elysia } from 'elysia'
import type { Log } from '../lib/log.ts'
import { hasSpareHandles } from '../lib/os-errors.ts'
import { inShapeOfAddress } from './compat/error-shape.ts'
import { type Connection, directConnection } from './contract/connection.ts'
import { type Problem, problemResponse } from './contract/problem.ts'
import type { Route } from './contract/route.ts'
import { hearOut } from './contract/unwanted-body.ts'
import type { Webhook } from './contract/webhook.ts'
import { createDocsAssets, isPartOfDocs } from './docs/asset-files.ts'
import type { describeApi, OpenApiDocument } from './docs/document.ts'
import { docsRoutes } from './docs/routes.ts'
import { createPageAssets, isPartOfPage } from './page/asset-files.ts'
import { rootRoute } from './page/root.ts'
import { createAccess } from './server/access.ts'
import { internalError, NO_HANDLES } from './server/errors.ts'
import { createGuard, type Users } from './server/guard.ts'
import { asGet, withoutBody } from './server/head.ts'
import { completeHeaders } from './server/headers.ts'
import type { Answered } from './server/metrics-registry.ts'
import { answerErrors, mountRoutes } from './server/mount.ts'
import type { LetIn } from './server/origins.ts'
import { createPacker } from './server/packed.ts'
import { routePath } from './server/route-path.ts'
import { createRouteTable } from './server/route-table.ts'
import { sessionRoutes } from './service/session.ts'

export type WebOptions = {
  /** `port` is what a call without a socket is taken to have come in on */
  config: Partial<LetIn> & { port: number; token: string | null; users: Users }
  log: Log
  version: string
  /** requests that the server makes, for the document */
  webhooks?: readonly Webhook[]
  /** why nothing but what is open can be answered just now */
  unavailable?: () => Problem | null
  /** told of every answer, for what is counted */
  onAnswered?: (answered: Answered) => void
}

export type App = {
  /** Answers every request, whoever makes it and whatever goes wrong; never throws. */
  fetch(request: Request, connection?: Connection): Promise<Response>
  /** The OpenAPI document; made at the first call. */
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
  const table = createRouteTable([...contracts, ...docsAssets.routes, ...pageAssets.routes])
  const elysia = new Elysia()
  answerErrors(elysia, { table, log })
  mountRoutes(elysia, routes, { table, connectionOf })
  elysia.use(docsAssets).use(pageAssets)
  const isStatic = (path: string) => isPartOfDocs(path) || isPartOfPage(path)
  const packed = createPacker(isStatic)
  const openRoutes = new Set(contracts.filter(({ open }) => open).map(({ path }) => path))
  // A page cannot send a header to load what it consists of; that is the same in every installation.
  const isOpen = (path: string) => openRoutes.has(path) || isStatic(path)
  const declared = new Set(contracts.map(({ path }) => path))
  /** What is counted by route: never the files of the documentation, nor an address that none has. */
  const routeOf = (path: string) => table.at(path).find((one) => declared.has(one.path))?.path ?? null
  const guard = createGuard({
    letIn: { origins, hostNames },
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
      const asked = request.method === 'HEAD' ? asGet(request) : request
      connections.set(asked, connection)
      const response = await packed(asked, await elysia.handle(asked))
      return asked === request ? response : await withoutBody(response)
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
      await hearOut(request, response)
      return completeHeaders(request, response, origins)
    },
  }
}

const READS = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Said before anything is begun. What only reads fails at once, and loses nothing by it. */
const lackOfHandles = ({ method }: Request): Problem | null =>
  READS.has(method) || hasSpareHandles() ? null : NO_HANDLES

/** What makes the document is loaded when somebody asks for it: no start waits for that. */
async function describe(...asked: Parameters<typeof describeApi>): Promise<OpenApiDocument> {
  const { describeApi } = await import('./docs/document.ts')
  return describeApi(...asked)
}
