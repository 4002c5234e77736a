// Who may use the server when a token is demanded: those who send it, and browsers that have exchanged it for a
// cookie, since pages cannot put a header on <audio> or an event stream. Sessions end with the process.

import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Clock } from '../../lib/clock.ts'

export type Session = { cookie: string; expiresAt: Date }

export type Access = {
  /** null: none is demanded, and everybody who gets this far may */
  token: string | null
  /** by a header or by the cookie */
  isAuthorized(request: Request): boolean
  isToken(sent: string): boolean
  /** the token as the header of a request has it */
  bearerOf(request: Request): string | null
  openSession(): Session
  /** the cookie that takes the browser's own away */
  endSession(request: Request): string
}

export const SESSION_COOKIE = 'dictation_session'
/** Strict: not even a link on another page brings it along. Not `Secure`, since loopback has no TLS. */
const ATTRIBUTES = 'HttpOnly; SameSite=Strict; Path=/'
const LIFETIME_SECONDS = 7 * 24 * 3600
/** The oldest make way: no number of sign-ins grows the memory. */
const MAX_SESSIONS = 100

export function createAccess({ token, clock }: { token: string | null; clock: Clock }): Access {
  const expected = token === null ? null : digest(token)
  /** by the digest of the cookie's value: when it ends; what is kept cannot be used as a cookie */
  const sessions = new Map<string, number>()

  const hasSession = (request: Request): boolean => {
    const value = cookieOf(request)
    if (value === null) return false
    const endsAt = sessions.get(keyOf(value))
    return endsAt !== undefined && clock().getTime() < endsAt
  }
  // Digests have one length whatever was sent, and comparing them takes the same time wherever they differ.
  const isToken = (sent: string): boolean => expected !== null && timingSafeEqual(digest(sent), expected)

  return {
    token,
    isToken,
    bearerOf,
    isAuthorized(request) {
      // Clients of Azure send theirs so, whatever the address.
      const sent = bearerOf(request) ?? request.headers.get('api-key')
      return expected === null || (sent !== null && isToken(sent)) || hasSession(request)
    },
    openSession() {
      const value = randomBytes(32).toString('base64url')
      const endsAt = clock().getTime() + LIFETIME_SECONDS * 1000
      sessions.set(keyOf(value), endsAt)
      const [oldest] = sessions.keys()
      if (sessions.size > MAX_SESSIONS) sessions.delete(oldest!)
      return {
        cookie: `${SESSION_COOKIE}=${value}; ${ATTRIBUTES}; Max-Age=${LIFETIME_SECONDS}`,
        expiresAt: new Date(endsAt),
      }
    },
    endSession(request) {
      const value = cookieOf(request)
      if (value !== null) sessions.delete(keyOf(value))
      return `${SESSION_COOKIE}=; ${ATTRIBUTES}; Max-Age=0`
    },
  }
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
const keyOf = (value: string): string => digest(value).toString('hex')

const bearerOf = (request: Request): string | null =>
  /^Bearer +(\S+)$/i.exec(request.headers.get('authorization') ?? '')?.[1] ?? null

const cookieOf = (request: Request): string | null => {
  const cookies = (request.headers.get('cookie') ?? '').split(/; */)
  const own = cookies.find((cookie) => cookie.startsWith(`${SESSION_COOKIE}=`))
  return own?.slice(SESSION_COOKIE.length + 1) ?? null
}
