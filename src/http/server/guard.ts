// Decides before routing whether a client may use this server: by peer, Host, Origin, Sec-Fetch-Site, user and token.
// Issues the secrets of page sessions and the tickets of sockets. Listening on loopback protects against the network, but
// not against web pages and other users of the computer.

import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { asksForSocket, type Connection, protocolsOffered } from '../kernel/connection.ts'
import { type Problem, problemResponse } from '../kernel/problem.ts'
import {
  type AllowList,
  isAllowedForeign,
  isHostName,
  isOrigin,
  isOwnOrigin,
  type OwnAddress,
  ownHosts,
} from './origins.ts'
import { routePath } from './router.ts'

export type IssuedSecrets = {
  /** @param scope a secret is only valid for its scope */
  issue(scope?: string): { secret: string; expiresAt: Date }
  isValid(secret: string, scope?: string): boolean
  /** false if the secret was not valid */
  revoke(secret: string, scope?: string): boolean
}

/** The oldest secrets are dropped, so that sign-ins cannot grow the memory. */
const MAX_SECRETS = 1000

/** @param passedMs a monotonic clock: setting back a wall clock would extend the lifetime of a secret */
function createIssuedSecrets({
  lifetimeMs,
  passedMs = () => performance.now(),
}: {
  lifetimeMs: number
  passedMs?: (() => number) | undefined
}): IssuedSecrets {
  const issued = new Map<string, { endsAt: number; scope: string }>()
  const isValid = (secret: string, scope = '') => {
    const found = issued.get(keyOf(secret))
    return found !== undefined && found.scope === scope && passedMs() < found.endsAt
  }
  return {
    issue(scope = '') {
      const secret = randomBytes(32).toString('base64url')
      issued.set(keyOf(secret), { endsAt: passedMs() + lifetimeMs, scope })
      const [oldest] = issued.keys()
      if (issued.size > MAX_SECRETS) issued.delete(oldest!)
      return { secret, expiresAt: new Date(Date.now() + lifetimeMs) }
    },
    isValid,
    revoke: (secret, scope) => isValid(secret, scope) && issued.delete(keyOf(secret)),
  }
}

export const digestOf = (secret: string): Buffer => createHash('sha256').update(secret).digest()

const keyOf = (secret: string): string => digestOf(secret).toString('hex')

export type Session = { session: string; expiresAt: Date }
export type Ticket = { ticket: string; expiresAt: Date }

export type Access = {
  /** null: no token is required, and every request that reaches this check is allowed */
  token: string | null
  /** whether the request has the token itself */
  hasToken(request: Request): boolean
  hasSession(request: Request): boolean
  /** whether the request has a session or a ticket; checking the ticket of a WebSocket consumes it */
  isSignedIn(request: Request): boolean
  isToken(sent: string): boolean
  /** the token or session in the Authorization header */
  bearerOf(request: Request): string | null
  openSession(): Session
  endSession(request: Request): void
  /** @param path the path whose GET requests the ticket allows; null allows one WebSocket */
  issueTicket(path: string | null): Ticket
}

/** A query parameter, because the WebSockets, event streams, `<audio>` and downloads of a page cannot send headers. */
const TICKET_PARAMETER = 'ticket'
/** OpenAI's browser clients cannot send a header and offer their key as a subprotocol with this prefix. */
const KEY_PROTOCOL = 'openai-insecure-api-key.'
const SESSION_MS = 7 * 24 * 3600 * 1000
/** Until the handshake. URLs may be logged, so a ticket must be useless to a later reader. */
const SOCKET_TICKET_MS = 30 * 1000
/** A player requests one range after another during playback. */
const PATH_TICKET_MS = 12 * 3600 * 1000

type AccessOptions = {
  token: string | null
  /** a monotonic clock in milliseconds; set by tests */
  passedMs?: () => number
}

export function createAccess({ token, passedMs }: AccessOptions): Access {
  const expected = token === null ? null : digestOf(token)
  const sessions = createIssuedSecrets({ lifetimeMs: SESSION_MS, passedMs })
  const socketTickets = createIssuedSecrets({ lifetimeMs: SOCKET_TICKET_MS, passedMs })
  const pathTickets = createIssuedSecrets({ lifetimeMs: PATH_TICKET_MS, passedMs })

  // All digests have the same length, so that the comparison takes constant time.
  const isToken = (sent: string): boolean => expected !== null && timingSafeEqual(digestOf(sent), expected)

  const hasSession = (request: Request): boolean => {
    const sent = bearerOf(request)
    return sent !== null && sessions.isValid(sent)
  }

  const hasTicket = (request: Request): boolean => {
    const url = URL.parse(request.url)
    const sent = url?.searchParams.get(TICKET_PARAMETER)
    if (url === null || sent == null) return false
    if (asksForSocket(request)) return socketTickets.revoke(sent)
    return ['GET', 'HEAD'].includes(request.method) && pathTickets.isValid(sent, url.pathname)
  }

  return {
    token,
    isToken,
    bearerOf,
    hasToken(request) {
      // Azure's clients send `api-key`, at any path.
      const sent = bearerOf(request) ?? request.headers.get('api-key') ?? keyAmongProtocols(request)
      return sent !== null && isToken(sent)
    },
    hasSession,
    isSignedIn: (request) => hasSession(request) || hasTicket(request),
    openSession() {
      const { secret, expiresAt } = sessions.issue()
      return { session: secret, expiresAt }
    },
    endSession(request) {
      const sent = bearerOf(request)
      if (sent !== null) sessions.revoke(sent)
    },
    issueTicket(path) {
      const { secret, expiresAt } = path === null ? socketTickets.issue() : pathTickets.issue(path)
      return { ticket: secret, expiresAt }
    },
  }
}

const bearerOf = (request: Request): string | null =>
  /^Bearer +(\S+)$/i.exec(request.headers.get('authorization') ?? '')?.[1] ?? null

const keyAmongProtocols = (request: Request): string | null => {
  const key =
    asksForSocket(request) && protocolsOffered(request).find((protocol) => protocol.startsWith(KEY_PROTOCOL))
  return key ? key.slice(KEY_PROTOCOL.length) : null
}

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

export function checkPeer({ peer }: Pick<Connection, 'peer'>): Problem | null {
  if (peer === null || isLoopback(peer)) return null
  return { code: 'peer_not_local', detail: 'This server only accepts programs on the computer it runs on.' }
}

const isLoopback = (address: string): boolean =>
  address === '::1' || /^(::ffff:)?127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(address)

/**
 * A socket that its program has closed has no owner (`null`), and its request is rejected, although the kernel lists the
 * socket as root's. Checked for each request, because on a kept-alive connection another program may have the port by now.
 */
export function checkUser(connection: Pick<Connection, 'user'>): Problem | null {
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

type Asked = { request: Request; listening: OwnAddress }

/**
 * Such a change would outlast the page and the user's trust in it. Null for programs, which send no Origin, and for the
 * server's own pages.
 * @param deed the forbidden action, following "cannot"
 */
export function foreignPageRefused({ request, listening }: Asked, deed: string): Problem | null {
  const origin = request.headers.get('origin')
  if (origin === null || isOwnOrigin(origin, listening)) return null
  return {
    code: 'origin_not_allowed',
    detail: `A web page of another origin cannot ${deed}; a program or this server's own page can.`,
  }
}
