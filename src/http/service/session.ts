// POST and DELETE /session: a page signs in with the token and out, or requests a ticket if it cannot send a header.

import { type Static, Type } from '@sinclair/typebox'
import { pause } from '../../lib/retry.ts'
import { nullable } from '../../lib/schema.ts'
import { problemResponse } from '../kernel/problem.ts'
import { defineRoute, jsonContent, ok, type Route } from '../kernel/route.ts'
import { dateTime, flag, strictObject, text } from '../kernel/schema.ts'
import { type Access, UNAUTHORIZED } from '../server/guard.ts'

/** Unnoticeable after a typing error, but it takes a program a thousand years to try all tokens. */
const WRONG_TOKEN_MS = 300

const SignInSchema = strictObject(
  {
    token: Type.Optional(text({ description: 'the token, unless the header has it', maxLength: 1000 })),
    ticket: Type.Optional(flag({ description: 'whether to return a ticket instead of a session' })),
    path: Type.Optional(
      text({
        description:
          'with `ticket`: the path whose GET requests the ticket allows, such as `/events`; without a path the ticket allows one WebSocket',
        pattern: '^/[!-~]{0,500}$',
      }),
    ),
  },
  { $id: 'SignIn' },
)

export const SessionSchema = strictObject(
  {
    token_required: Type.Boolean({
      description: 'false: this server requires no token, and issues no secret',
    }),
    expires_at: nullable(dateTime(), { description: 'when the session or the ticket expires at the latest' }),
    session: nullable(Type.String(), {
      description: 'the secret of the session; send it as `Authorization: Bearer` instead of the token',
    }),
    ticket: nullable(Type.String(), {
      description: 'the requested ticket; append it to the address as `?ticket=`',
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
        'For pages, which should not store the token itself. The secret of a session is sent as a header, lasts a week, and expires when the server stops; a cookie would be sent to every port of this computer, and so to programs of any user. The WebSockets, event streams, <audio> and downloads of a page cannot send a header: for each of them the page requests a ticket, with the token or the session. A ticket allows one WebSocket within half a minute; with `path` it allows GET requests of that path for twelve hours. Sessions and tickets, unlike the token, are only valid for programs of the user that the server runs as (and root), unless the server was started with DICTATION_USERS=any or the system does not report users.',
      tag: 'service',
      open: true,
      headers: {
        Authorization:
          '`Bearer` and the token, unless the body has it; for a ticket the session is accepted, too',
      },
      body: { kind: 'json', schema: SignInSchema, example: { token: 'the token' }, optional: true },
      responses: ok(
        'Signed in',
        jsonContent(SessionSchema, {
          token_required: true,
          expires_at: '2026-02-07T12:00:00.000Z',
          session: 'fZ3bq1n0vJ2dYk4S8x6QeW9tGhLmCpRr5uTaNiOoUyE',
          ticket: null,
        } satisfies Session),
      ),
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
        'Ends the session in the header. Without a session it does nothing. Tickets remain valid until they expire.',
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
