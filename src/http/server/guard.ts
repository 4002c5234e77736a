// Decides before routing whether a client may use this server: by peer, Host, Origin, Sec-Fetch-Site, user and token.
// Listening on loopback protects against the network, but not against web pages and other users of the computer.

import type { Connection } from '../contract/connection.ts'
import { type Problem, problemResponse } from '../contract/problem.ts'
import type { Access } from './access.ts'
import {
  type AllowList,
  isAllowedForeign,
  isHostName,
  isOrigin,
  isOwnOrigin,
  type OwnAddress,
  ownHosts,
} from './origins.ts'
import { routePath } from './route-path.ts'

export type RequestGuardOptions = {
  access: Pick<Access, 'token' | 'hasToken' | 'isSignedIn'>
  /** whose programs may call without the token, if the system reports the user of a connection */
  users: Users
  allowList: AllowList
  /** whether the path requires no token */
  isOpen(path: string): boolean
}

/** `own` is the user that the server runs as, and root, which nothing can keep out. */
export type Users = 'own' | 'any'

/** Returns null if the request may continue to routing, otherwise its response. */
export type Guard = (request: Request, connection: Connection) => Response | null

export function createGuard(options: RequestGuardOptions): Guard {
  const { access, users, allowList, isOpen } = options
  const tokenDemanded = access.token !== null
  return (request, connection) => {
    // Only the token itself exempts from the user check: a program of another user can only have it from the owner.
    const hasToken = tokenDemanded && access.hasToken(request)
    const refusal =
      checkPeer(connection) ??
      checkHost(request, connection, allowList.hostNames) ??
      checkOrigin(request, connection, allowList) ??
      checkFetchSite(request) ??
      (users === 'any' || hasToken ? null : checkUser(connection))
    if (refusal) return refuse(refusal)
    // A preflight has no credentials, so respond before they are checked.
    if (isPreflight(request) && isAllowed(request, allowList)) return new Response(null, { status: 204 })
    const mayPass = !tokenDemanded || hasToken || isOpen(routePath(request)) || access.isSignedIn(request)
    return mayPass ? null : refuse(UNAUTHORIZED)
  }
}

export const UNAUTHORIZED: Problem = {
  code: 'unauthorized',
  detail: 'Send the token this server was started with as "Authorization: Bearer <token>".',
  headers: { 'www-authenticate': 'Bearer' },
}

/** Closes the connection, so that a following body need not be read. */
const refuse = (problem: Problem): Response =>
  problemResponse({ ...problem, headers: { ...problem.headers, connection: 'close' } })

function checkPeer({ peer }: Connection): Problem | null {
  if (peer === null || isLoopback(peer)) return null
  return { code: 'peer_not_local', detail: 'This server only accepts programs on the computer it runs on.' }
}

const isLoopback = (address: string): boolean =>
  address === '::1' || /^(::ffff:)?127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(address)

/**
 * A socket that its program has closed has no owner (`null`), and its request is rejected, although the kernel lists the
 * socket as root's. Checked for each request, because on a kept-alive connection another program may have the port by now.
 */
function checkUser(connection: Connection): Problem | null {
  const user = connection.user()
  if (user === 'unknown' || user === ROOT || user === process.geteuid?.()) return null
  return {
    code: 'peer_of_another_user',
    detail:
      'This server only accepts programs of the user it runs as. Send its token if it has one (DICTATION_TOKEN), or start it with DICTATION_USERS=any.',
  }
}

const ROOT = 0

/** The only check that detects DNS rebinding: such a page sends neither Origin nor Sec-Fetch-Site. */
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
  return ` To allow the name ${name}, start the server with DICTATION_HOSTS=${[...hostNames, name]} in its environment.`
}

function checkOrigin(
  request: Request,
  listening: OwnAddress,
  { origins, hostNames }: AllowList,
): Problem | null {
  const origin = request.headers.get('origin')
  if (origin === null || isAllowedForeign(origin, origins)) return null
  if (isOwnOrigin(origin, listening, hostNames)) return null
  const setting = isOrigin(origin)
    ? `DICTATION_ORIGINS=${[...origins, origin]}`
    : 'its origin in DICTATION_ORIGINS'
  return {
    code: 'origin_not_allowed',
    detail: `Web pages of other origins are refused. If you trust this one, start the server with ${setting} in its environment.`,
  }
}

/** Without Origin a browser still sends where a request comes from. Another port counts as another site. */
function checkFetchSite(request: Request): Problem | null {
  if (request.headers.has('origin')) return null
  const site = request.headers.get('sec-fetch-site')
  if (site === null || site === 'same-origin' || site === 'none') return null
  if (isTopLevelNavigation(request)) return null
  return { code: 'cross_site', detail: 'Requests from other web sites are rejected.' }
}

/** The user followed a link; the page with the link cannot read the response. */
const isTopLevelNavigation = (request: Request): boolean =>
  request.method === 'GET' &&
  request.headers.get('sec-fetch-mode') === 'navigate' &&
  request.headers.get('sec-fetch-dest') === 'document'

const isAllowed = (request: Request, { origins }: AllowList): boolean =>
  isAllowedForeign(request.headers.get('origin') ?? '', origins)

const isPreflight = (request: Request): boolean =>
  request.method === 'OPTIONS' && request.headers.has('access-control-request-method')
