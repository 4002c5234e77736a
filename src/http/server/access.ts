// Authentication by token, by session (a page exchanges the token for one), or by a ticket in the URL where no header
// can be sent. Sessions and tickets are held in memory and end with the process.

import { timingSafeEqual } from 'node:crypto'
import { asksForSocket, protocolsOffered } from '../contract/handshake.ts'
import { createIssuedSecrets, digestOf } from './issued-secrets.ts'

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
export const TICKET_PARAMETER = 'ticket'
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
