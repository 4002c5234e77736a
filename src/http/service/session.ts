// POST and DELETE /session: a browser signs in with the token, and out, or gets a ticket for a socket.
// Who is signed in is server/access.ts; the page that asks for the token is docs/sign-in-page.ts.

import { type Static, Type } from '@sinclair/typebox'
import { pause } from '../../lib/persist.ts'
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
    ticket: Type.Optional(
      flag({ description: 'whether a ticket for one WebSocket is wanted in place of the cookie' }),
    ),
  },
  { $id: 'SignIn' },
)

const SessionSchema = strictObject(
  {
    token_required: Type.Boolean({ description: 'false: this server demands no token, and gives no cookie' }),
    expires_at: nullable(dateTime(), { description: 'when the cookie or the ticket ends, at the latest' }),
    ticket: nullable(Type.String(), {
      description: 'where one was wanted: lets one WebSocket in whose address ends in `?ticket=` and this',
    }),
  },
  { $id: 'Session' },
)

export const sessionRoutes = (access: Access): Route[] => [signInRoute(access), signOutRoute(access)]

const signInRoute = (access: Access) =>
  defineRoute(
    {
      method: 'POST',
      path: '/session',
      operationId: 'createSession',
      summary: 'Exchange the token for a cookie',
      description:
        'For pages, whose <audio> elements, event streams and WebSockets cannot send a header. The cookie is not the token; it is HttpOnly and SameSite=Strict, lasts a week, and ends with the server. Pages of other origins that were let in are sent no cookie: they ask for a `ticket` before each WebSocket, which lets one in within half a minute, and nothing else.',
      tag: 'service',
      open: true,
      headers: { Authorization: '`Bearer` and the token, unless the body has it' },
      body: { kind: 'json', schema: SignInSchema, example: { token: 'the token' }, optional: true },
      responses: {
        200: {
          description: 'Signed in',
          headers: { 'Set-Cookie': 'the session, where a token is demanded' },
          content: {
            'application/json': {
              schema: SessionSchema,
              example: {
                token_required: true,
                expires_at: '2026-02-07T12:00:00.000Z',
                ticket: null,
              } satisfies Static<typeof SessionSchema>,
            },
          },
        },
      },
      problems: access.token === null ? [] : ['unauthorized'],
    },
    async (request, { body }) => {
      if (access.token === null)
        return Response.json({ token_required: false, expires_at: null, ticket: null })
      const sent = body?.token ?? access.bearerOf(request)
      if (sent === null || !access.isToken(sent)) {
        await pause(WRONG_TOKEN_MS, request.signal)
        return problemResponse(UNAUTHORIZED)
      }
      if (body?.ticket === true) {
        const { ticket, expiresAt } = access.issueTicket()
        return Response.json({ token_required: true, expires_at: expiresAt.toISOString(), ticket })
      }
      const { cookie, expiresAt } = access.openSession()
      return Response.json(
        { token_required: true, expires_at: expiresAt.toISOString(), ticket: null },
        { headers: { 'set-cookie': cookie } },
      )
    },
  )

const signOutRoute = (access: Access) =>
  defineRoute(
    {
      method: 'DELETE',
      path: '/session',
      operationId: 'deleteSession',
      summary: 'Sign out',
      description: 'The cookie is of no use any more. Without one nothing happens.',
      tag: 'service',
      open: true,
      responses: {
        204: { description: 'Signed out', headers: { 'Set-Cookie': 'takes the cookie away' } },
      },
    },
    (request) => new Response(null, { status: 204, headers: { 'set-cookie': access.endSession(request) } }),
  )
