// POST and DELETE /session: a page signs in with the token and out, or requests a ticket where it cannot send a header.
// What a session opens is server/access.ts; what the page stores of it is ui/server/session.ts.

import { type Static, Type } from '@sinclair/typebox'
import { pause } from '../../lib/retry.ts'
import { nullable } from '../../lib/schema.ts'
import { problemResponse } from '../contract/problem.ts'
import { defineRoute, type Route } from '../contract/route.ts'
import { dateTime, flag, strictObject, text } from '../contract/schema.ts'
import type { Access } from '../server/access.ts'
import { UNAUTHORIZED } from '../server/guard.ts'

/** Nothing to a person who has mistyped; a thousand years to a program that tries all tokens. */
const WRONG_TOKEN_MS = 300

const SignInSchema = strictObject(
  {
    token: Type.Optional(text({ description: 'the token, unless the header has it', maxLength: 1000 })),
    ticket: Type.Optional(flag({ description: 'whether a ticket is wanted in place of a session' })),
    path: Type.Optional(
      text({
        description:
          'with `ticket`: the path whose GET requests it opens, such as `/events`; without it the ticket opens one WebSocket',
        pattern: '^/[!-~]{0,500}$',
      }),
    ),
  },
  { $id: 'SignIn' },
)

export const SessionSchema = strictObject(
  {
    token_required: Type.Boolean({ description: 'false: this server demands no token, and gives no secret' }),
    expires_at: nullable(dateTime(), { description: 'when the session or the ticket ends, at the latest' }),
    session: nullable(Type.String(), {
      description: 'the secret of the session, to be sent as `Authorization: Bearer` in place of the token',
    }),
    ticket: nullable(Type.String(), {
      description: 'where one was wanted: opens an address that ends in `?ticket=` and this',
    }),
  },
  { $id: 'Session' },
)

type Session = Static<typeof SessionSchema>

const NOT_NEEDED: Session = { token_required: false, expires_at: null, session: null, ticket: null }

export const sessionRoutes = (access: Access): Route[] => [signInRoute(access), signOutRoute(access)]

const signInRoute = (access: Access) =>
  defineRoute(
    {
      method: 'POST',
      path: '/session',
      operationId: 'createSession',
      summary: 'Exchange the token for a session or a ticket',
      description:
        'For pages, which should not keep the token itself. The secret of a session is sent as a header, lasts a week, and ends with the server; a browser would send a cookie to every port of this computer, to programs of any user. WebSockets, event streams, <audio> and downloads of a page cannot send a header: for each the page gets a ticket, with the token or the session. One opens one WebSocket within half a minute; with `path` it opens the GET requests of that path for twelve hours. Unless the server was started with DICTATION_USERS=any, sessions and tickets, unlike the token, count only for programs of the user that the server runs as (and root), where the system tells.',
      tag: 'service',
      open: true,
      headers: {
        Authorization: '`Bearer` and the token, unless the body has it; for a ticket also the session',
      },
      body: { kind: 'json', schema: SignInSchema, example: { token: 'the token' }, optional: true },
      responses: {
        200: {
          description: 'Signed in',
          content: {
            'application/json': {
              schema: SessionSchema,
              example: {
                token_required: true,
                expires_at: '2026-02-07T12:00:00.000Z',
                session: 'fZ3bq1n0vJ2dYk4S8x6QeW9tGhLmCpRr5uTaNiOoUyE',
                ticket: null,
              } satisfies Session,
            },
          },
        },
      },
      problems: access.token === null ? [] : ['unauthorized'],
    },
    async (request, { body }) => {
      if (access.token === null) return Response.json(NOT_NEEDED)
      const isTicket = body?.ticket === true || body?.path !== undefined
      const sent = body?.token ?? access.bearerOf(request)
      const hasToken = sent !== null && access.isToken(sent)
      if (!hasToken && !(isTicket && access.hasSession(request))) {
        await pause(WRONG_TOKEN_MS, request.signal)
        return problemResponse(UNAUTHORIZED)
      }
      return Response.json(isTicket ? ticketOf(access, body?.path ?? null) : sessionOf(access))
    },
  )

function ticketOf(access: Access, path: string | null): Session {
  const { ticket, expiresAt } = access.issueTicket(path)
  return { token_required: true, expires_at: expiresAt.toISOString(), session: null, ticket }
}

function sessionOf(access: Access): Session {
  const { session, expiresAt } = access.openSession()
  return { token_required: true, expires_at: expiresAt.toISOString(), session, ticket: null }
}

const signOutRoute = (access: Access) =>
  defineRoute(
    {
      method: 'DELETE',
      path: '/session',
      operationId: 'deleteSession',
      summary: 'Sign out',
      description:
        'Ends the session that the header names. Without one nothing happens; tickets end when their time is over.',
      tag: 'service',
      open: true,
      headers: { Authorization: '`Bearer` and the session' },
      responses: { 204: { description: 'Signed out' } },
    },
    (request) => {
      access.endSession(request)
      return new Response(null, { status: 204 })
    },
  )
