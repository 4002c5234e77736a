// Stands before routing and decides who may speak to this server: peer, Host, Origin, Sec-Fetch-Site, user, token.
// Refuses; it never answers for a route. Being on loopback protects from the network, not from web pages and other users of the computer.

import type { Connection } from '../contract/connection.ts'
import { type Problem, problemResponse } from '../contract/problem.ts'
import { isForeignButLetIn, isHostName, isOrigin, isOwnOrigin, type LetIn, ownHosts } from './origins.ts'
import { routePath } from './route-path.ts'

export type RequestGuardOptions = {
  /** whether a request has what is demanded of it: the token, or a session that was opened with it */
  isAuthorized(request: Request): boolean
  /** without one, being authorized proves nothing */
  tokenDemanded: boolean
  /** whose programs may call without the token, where the system tells */
  users: Users
  letIn: LetIn
  /** paths that answer without a token */
  openPaths: readonly string[]
}

/** `own` is the user that the server runs as, and root, whom nothing keeps out. */
export type Users = 'own' | 'any'

/** Null when the request may go on to routing, else the answer it gets. */
export type Guard = (request: Request, connection: Connection) => Response | null

export function createGuard(options: RequestGuardOptions): Guard {
  const { isAuthorized, tokenDemanded, users, letIn, openPaths } = options
  return (request, connection) => {
    const isProven = tokenDemanded && isAuthorized(request)
    const refusal =
      checkPeer(connection) ??
      checkHost(request, connection.port, letIn.hostNames) ??
      checkOrigin(request, connection.port, letIn) ??
      checkFetchSite(request) ??
      (users === 'any' || isProven ? null : checkUser(connection))
    if (refusal) return refuse(refusal)
    // A preflight carries no credentials, so it is answered before they are asked for.
    if (isPreflight(request) && isLetIn(request, letIn)) return new Response(null, { status: 204 })
    if (tokenDemanded && !isProven && !openPaths.includes(routePath(request))) return refuse(UNAUTHORIZED)
    return null
  }
}

export const UNAUTHORIZED: Problem = {
  code: 'unauthorized',
  detail: 'Send the token this server was started with as "Authorization: Bearer <token>".',
  headers: { 'www-authenticate': 'Bearer' },
}

/** The connection is closed: a body that may follow is not worth reading. */
const refuse = (problem: Problem): Response =>
  problemResponse({ ...problem, headers: { ...problem.headers, connection: 'close' } })

function checkPeer({ peer }: Connection): Problem | null {
  if (peer === null || isLoopback(peer)) return null
  return { code: 'peer_not_local', detail: 'This server answers only programs on the computer it runs on.' }
}

const isLoopback = (address: string): boolean =>
  address === '::1' || /^(::ffff:)?127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(address)

/**
 * A socket whose program has closed it is nobody's, and the kernel lists it as root's: what came through it is refused.
 * Asked for each request: a connection that is kept says nothing of whose program has its port now.
 */
function checkUser(connection: Connection): Problem | null {
  const user = connection.user()
  if (user === 'unknown' || user === ROOT || user === process.geteuid?.()) return null
  return {
    code: 'peer_of_another_user',
    detail:
      'This server answers programs of the user it runs as. Send its token if it has one (DICTATION_TOKEN), or start it with DICTATION_USERS=any.',
  }
}

const ROOT = 0

/** The only check that sees DNS rebinding: such a page sends neither Origin nor Sec-Fetch-Site. */
function checkHost(request: Request, port: number, hostNames: readonly string[]): Problem | null {
  const host = request.headers.get('host')?.toLowerCase()
  if (host !== undefined && ownHosts(port, hostNames).includes(host)) return null
  const use = `Use http://127.0.0.1:${port} or http://localhost:${port}.`
  const name = host?.endsWith(`:${port}`) ? host.slice(0, host.lastIndexOf(':')) : host
  const hint =
    name !== undefined && isHostName(name)
      ? ` If this computer is to answer as ${name}, start the server with DICTATION_HOSTS=${[...hostNames, name]} in its environment.`
      : ''
  return { code: 'host_not_allowed', detail: use + hint }
}

function checkOrigin(request: Request, port: number, { origins, hostNames }: LetIn): Problem | null {
  const origin = request.headers.get('origin')
  if (origin === null || isForeignButLetIn(origin, origins)) return null
  if (isOwnOrigin(origin, port, hostNames)) return null
  const setting = isOrigin(origin)
    ? `DICTATION_ORIGINS=${[...origins, origin]}`
    : 'its origin in DICTATION_ORIGINS'
  return {
    code: 'origin_not_allowed',
    detail: `Web pages of other origins are refused. If you trust this one, start the server with ${setting} in its environment.`,
  }
}

/** Without Origin a browser still says where a request comes from; another port is another site to us. */
function checkFetchSite(request: Request): Problem | null {
  if (request.headers.has('origin')) return null
  const site = request.headers.get('sec-fetch-site')
  if (site === null || site === 'same-origin' || site === 'none') return null
  if (isTopLevelNavigation(request)) return null
  return { code: 'cross_site', detail: 'Requests that another web site makes are refused.' }
}

/** A person followed a link; the page that had it sees nothing of the answer. */
const isTopLevelNavigation = (request: Request): boolean =>
  request.method === 'GET' &&
  request.headers.get('sec-fetch-mode') === 'navigate' &&
  request.headers.get('sec-fetch-dest') === 'document'

const isLetIn = (request: Request, { origins }: LetIn): boolean =>
  isForeignButLetIn(request.headers.get('origin') ?? '', origins)

const isPreflight = (request: Request): boolean =>
  request.method === 'OPTIONS' && request.headers.has('access-control-request-method')
