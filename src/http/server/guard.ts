// Stands before routing and decides who may speak to this server: peer, Host, Origin, Sec-Fetch-Site, user, token.
// Refuses; it never answers for a route. Being on loopback protects from the network, not from web pages and other users of the computer.

import type { Connection } from '../contract/connection.ts'
import { type Problem, problemResponse } from '../contract/problem.ts'
import type { Access } from './access.ts'
import {
  isForeignButLetIn,
  isHostName,
  isOrigin,
  isOwnOrigin,
  type LetIn,
  type OwnAddress,
  ownHosts,
} from './origins.ts'
import { routePath } from './route-path.ts'

export type RequestGuardOptions = {
  access: Pick<Access, 'token' | 'hasToken' | 'isSignedIn'>
  /** whose programs may call without the token, where the system tells */
  users: Users
  letIn: LetIn
  /** whether the path answers without a token */
  isOpen(path: string): boolean
}

/** `own` is the user that the server runs as, and root, whom nothing keeps out. */
export type Users = 'own' | 'any'

/** Null when the request may go on to routing, else the answer it gets. */
export type Guard = (request: Request, connection: Connection) => Response | null

export function createGuard(options: RequestGuardOptions): Guard {
  const { access, users, letIn, isOpen } = options
  const tokenDemanded = access.token !== null
  return (request, connection) => {
    // The token alone exempts from the question of whose program it is: only a person can have handed it on.
    const hasToken = tokenDemanded && access.hasToken(request)
    const refusal =
      checkPeer(connection) ??
      checkHost(request, connection, letIn.hostNames) ??
      checkOrigin(request, connection, letIn) ??
      checkFetchSite(request) ??
      (users === 'any' || hasToken ? null : checkUser(connection))
    if (refusal) return refuse(refusal)
    // A preflight carries no credentials, so it is answered before they are asked for.
    if (isPreflight(request) && isLetIn(request, letIn)) return new Response(null, { status: 204 })
    const mayPass = !tokenDemanded || hasToken || isOpen(routePath(request)) || access.isSignedIn(request)
    return mayPass ? null : refuse(UNAUTHORIZED)
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
function checkHost(request: Request, listening: OwnAddress, hostNames: readonly string[]): Problem | null {
  const host = request.headers.get('host')?.toLowerCase()
  if (host !== undefined && ownHosts(listening, hostNames).includes(host)) return null
  const { port, names } = listening
  const use = `Use ${names.map((name) => `http://${name}:${port}`).join(' or ')}.`
  const name = host?.endsWith(`:${port}`) ? host.slice(0, host.lastIndexOf(':')) : host
  return { code: 'host_not_allowed', detail: use + hintFor(name, hostNames) }
}

function hintFor(name: string | undefined, hostNames: readonly string[]): string {
  if (name === 'localhost') return ' Start the server with HOST=localhost to use that name.'
  if (name === undefined || !isHostName(name)) return ''
  return ` If this computer is to answer as ${name}, start the server with DICTATION_HOSTS=${[...hostNames, name]} in its environment.`
}

function checkOrigin(request: Request, listening: OwnAddress, { origins, hostNames }: LetIn): Problem | null {
  const origin = request.headers.get('origin')
  if (origin === null || isForeignButLetIn(origin, origins)) return null
  if (isOwnOrigin(origin, listening, hostNames)) return null
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
