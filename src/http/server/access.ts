// Authenticates requests when a token is demanded: by the token, by the secret of a session that a page has exchanged it
// for, or by a ticket in the address where no header can be sent. Sessions and tickets end with the process.

import { timingSafeEqual } from 'node:crypto'
import { asksForSocket, protocolsOffered } from '../contract/handshake.ts'
import { createIssuedSecrets, digestOf } from './issued-secrets.ts'

export type Session = { session: string; expiresAt: Date }
export type Ticket = { ticket: string; expiresAt: Date }

export type Access = {
  /** null: none is demanded, and everybody who gets this far may */
  token: string | null
  /** whether the request brings the token itself */
  hasToken(request: Request): boolean
  /** whether it brings a session */
  hasSession(request: Request): boolean
  /** whether it brings a session in place of the token, or a ticket; a socket's is spent by asking */
  isSignedIn(request: Request): boolean
  isToken(sent: string): boolean
  /** the token or the session as the header of a request has it */
  bearerOf(request: Request): string | null
  openSession(): Session
  endSession(request: Request): void
  /** @param path what GET requests it opens; null: one WebSocket */
  issueTicket(path: string | null): Ticket
}

/** In an address: all that a socket, an event stream, `<audio>` or a download of a page can send. */
export const TICKET_PARAMETER = 'ticket'
/** What OpenAI's clients in browsers offer as a protocol, with the key behind it, for want of a header. */
const KEY_PROTOCOL = 'openai-insecure-api-key.'
const SESSION_MS = 7 * 24 * 3600 * 1000
/** From the answer to the handshake. An address may be logged on its way and must be useless to a later reader. */
const SOCKET_TICKET_MS = 30 * 1000
/** A player requests one range after another while a person listens. */
const PATH_TICKET_MS = 12 * 3600 * 1000

type AccessOptions = {
  token: string | null
  /** milliseconds that have passed, whatever the wall clock shows; given by tests */
  passedMs?: () => number
}

export function createAccess({ token, passedMs }: AccessOptions): Access {
  const expected = token === null ? null : digestOf(token)
  const sessions = createIssuedSecrets({ lifetimeMs: SESSION_MS, passedMs })
  const socketTickets = createIssuedSecrets({ lifetimeMs: SOCKET_TICKET_MS, passedMs })
  const pathTickets = createIssuedSecrets({ lifetimeMs: PATH_TICKET_MS, passedMs })

  // Digests have one length whatever was sent, and comparing them takes the same time wherever they differ.
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
      // Clients of Azure send theirs so, whatever the address.
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
