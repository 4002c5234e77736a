// Who may use the server when a token is demanded: those who send it, browsers that have exchanged it for a cookie, since
// pages cannot put a header on <audio> or an event stream, and sockets with a ticket. All of that ends with the process.

import { createHash, timingSafeEqual } from 'node:crypto'
import type { Clock } from '../../lib/clock.ts'
import { asksForSocket, protocolsOffered } from '../contract/handshake.ts'
import { createIssuedSecrets } from './issued-secrets.ts'

export type Session = { cookie: string; expiresAt: Date }
export type Ticket = { ticket: string; expiresAt: Date }

export type Access = {
  /** null: none is demanded, and everybody who gets this far may */
  token: string | null
  /** by a header, by the cookie, or by a ticket, which is spent by asking */
  isAuthorized(request: Request): boolean
  isToken(sent: string): boolean
  /** the token as the header of a request has it */
  bearerOf(request: Request): string | null
  openSession(): Session
  /** the cookie that takes the browser's own away */
  endSession(request: Request): string
  issueTicket(): Ticket
}

export const SESSION_COOKIE = 'dictation_session'
/** In the address of a socket: a page can send nothing else with its handshake. */
export const TICKET_PARAMETER = 'ticket'
/** What OpenAI's clients in browsers offer as a protocol, with the key behind it, for want of a header. */
const KEY_PROTOCOL = 'openai-insecure-api-key.'
/** Strict: not even a link on another page brings it along. Not `Secure`, since loopback has no TLS. */
const ATTRIBUTES = 'HttpOnly; SameSite=Strict; Path=/'
const SESSION_SECONDS = 7 * 24 * 3600
/** From the answer to the handshake. An address may be written down on its way: it is of no use to who reads it later. */
const TICKET_SECONDS = 30

export function createAccess({ token, clock }: { token: string | null; clock: Clock }): Access {
  const expected = token === null ? null : digest(token)
  const sessions = createIssuedSecrets({ lifetimeMs: SESSION_SECONDS * 1000, clock })
  const tickets = createIssuedSecrets({ lifetimeMs: TICKET_SECONDS * 1000, clock })

  // Digests have one length whatever was sent, and comparing them takes the same time wherever they differ.
  const isToken = (sent: string): boolean => expected !== null && timingSafeEqual(digest(sent), expected)

  const hasSession = (request: Request): boolean => {
    const value = cookieOf(request)
    return value !== null && sessions.isValid(value)
  }
  const hasTicket = (request: Request): boolean => {
    const sent = asksForSocket(request) ? URL.parse(request.url)?.searchParams.get(TICKET_PARAMETER) : null
    return sent != null && tickets.revoke(sent)
  }

  return {
    token,
    isToken,
    bearerOf,
    isAuthorized(request) {
      // Clients of Azure send theirs so, whatever the address.
      const sent = bearerOf(request) ?? request.headers.get('api-key') ?? keyAmongProtocols(request)
      return (
        expected === null || (sent !== null && isToken(sent)) || hasSession(request) || hasTicket(request)
      )
    },
    openSession() {
      const { secret, expiresAt } = sessions.issue()
      const cookie = `${SESSION_COOKIE}=${secret}; ${ATTRIBUTES}; Max-Age=${SESSION_SECONDS}`
      return { cookie, expiresAt }
    },
    endSession(request) {
      const value = cookieOf(request)
      if (value !== null) sessions.revoke(value)
      return `${SESSION_COOKIE}=; ${ATTRIBUTES}; Max-Age=0`
    },
    issueTicket() {
      const { secret, expiresAt } = tickets.issue()
      return { ticket: secret, expiresAt }
    },
  }
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

const bearerOf = (request: Request): string | null =>
  /^Bearer +(\S+)$/i.exec(request.headers.get('authorization') ?? '')?.[1] ?? null

const keyAmongProtocols = (request: Request): string | null => {
  const key =
    asksForSocket(request) && protocolsOffered(request).find((protocol) => protocol.startsWith(KEY_PROTOCOL))
  return key ? key.slice(KEY_PROTOCOL.length) : null
}

const cookieOf = (request: Request): string | null => {
  const cookies = (request.headers.get('cookie') ?? '').split(/; */)
  const own = cookies.find((cookie) => cookie.startsWith(`${SESSION_COOKIE}=`))
  return own?.slice(SESSION_COOKIE.length + 1) ?? null
}
