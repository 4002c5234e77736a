// Puts routes, guard, documentation and error answers together into one function from request to response.
// Knows no resource; app.ts hands the routes in.

import { Elysia } from 'elysia'
import { systemClock } from '../lib/clock.ts'
import type { Log } from '../lib/log.ts'
import { hasSpareHandles } from '../lib/machine-trouble.ts'
import { type Connection, directConnection } from './connection.ts'
import { createDocsRoutes, isPartOfDocs, serveDocsAssets } from './docs.ts'
import type { describeApi } from './document.ts'
import { inShapeOfAddress } from './error-shape.ts'
import { answerErrors, internalError, NO_HANDLES } from './errors.ts'
import type { OpenApiDocument } from './finalize-document.ts'
import { createGuard, type Users } from './guard.ts'
import type { Answered } from './metrics-registry.ts'
import type { LetIn } from './origins.ts'
import { createPacker } from './packed.ts'
import { type Problem, problemResponse } from './problem.ts'
import { completeHeaders } from './response-headers.ts'
import { type Route, registerRoutes } from './route.ts'
import { createRouteNamer } from './route-name.ts'
import { routePath } from './route-path.ts'
import { sessionRoutes } from './session.ts'
import { createAccess } from './sessions.ts'
import { SIGN_IN_SCRIPT } from './sign-in-page.ts'
import { hearOut } from './unwanted-body.ts'
import type { Webhook } from './webhook-contract.ts'

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
    const contracts = routes.map(({ contract }) => contract)
    described ??= describe(contracts, {
      version,
      token: config.token !== null,
      ...(options.webhooks && { webhooks: options.webhooks }),
    })
    return described
  }
  const access = createAccess({ token: config.token, clock: systemClock })
  const routes = [...resources, ...sessionRoutes(access), ...createDocsRoutes(document, access)]

  const connections = new WeakMap<Request, Connection>()
  const connectionOf = (request: Request) => connections.get(request) ?? directConnection(config.port)
  const elysia = new Elysia()
  answerErrors(elysia, log)
  registerRoutes(elysia, routes, connectionOf)
  await serveDocsAssets(elysia)
  const packed = createPacker(isPartOfDocs)
  const openRoutes = routes.filter(({ contract }) => contract.open)
  const openPaths = [...openRoutes.map(({ contract }) => contract.path), SIGN_IN_SCRIPT]
  const routeOf = createRouteNamer(routes.map(({ contract }) => contract))
  const isOpen = ({ url }: Request) => openPaths.includes(URL.parse(url)?.pathname ?? '')
  const guard = createGuard({
    ...{ letIn: { origins, hostNames }, users: config.users, openPaths },
    isAuthorized: access.isAuthorized,
    tokenDemanded: access.token !== null,
  })

  async function answer(request: Request, connection: Connection): Promise<Response> {
    try {
      const refusal = guard(request, connection)
      if (refusal) return refusal
      const problem = isOpen(request) ? null : (options.unavailable?.() ?? lackOfHandles(request))
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

/** HEAD is answered as GET would be, less the body: Elysia's own HEAD puts the length of nothing in its place. */
function asGet(request: Request): Request {
  const get = new Request(request, { method: 'GET' })
  // A range is defined for GET alone (RFC 9110, section 14.2).
  get.headers.delete('range')
  return get
}

async function withoutBody(response: Response): Promise<Response> {
  const { status, headers } = response
  // A stream of events has no end to be waited for.
  const isEndless = headers.get('content-type')?.startsWith('text/event-stream') === true
  if (isEndless || headers.has('content-length')) await response.body?.cancel()
  else headers.set('content-length', String((await response.blob()).size))
  return new Response(null, { status, headers })
}

/** What makes the document is loaded when somebody asks for it: no start waits for that. */
async function describe(...asked: Parameters<typeof describeApi>): Promise<OpenApiDocument> {
  const { describeApi } = await import('./document.ts')
  return describeApi(...asked)
}
