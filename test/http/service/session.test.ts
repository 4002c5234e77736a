// Sessions, and tickets for requests that cannot send a header.

import { describe, expect, jest, test } from 'bun:test'
import type { Connection } from '../../../src/http/kernel/connection.ts'
import { defineRoute } from '../../../src/http/kernel/route.ts'
import { openObject } from '../../../src/http/kernel/schema.ts'
import { createAccess } from '../../../src/http/server/guard.ts'
import { type Call, declared, webOf } from '../../support/web.ts'

const token = 'correct-horse-battery'
const WEEK_MS = 7 * 24 * 3600 * 1000
const thing = defineRoute({ ...declared, method: 'GET', path: '/thing', operationId: 'thing' }, () =>
  Response.json({ done: true }),
)
const socket = defineRoute(
  { ...declared, method: 'GET', path: '/socket', operationId: 'socket', query: openObject({}) },
  () => Response.json({ done: true }),
)
const { call, app } = await webOf([thing, socket], { token })
const json = { 'content-type': 'application/json' }
const post = (body: object, headers: Record<string, string> = {}, connection: Partial<Connection> = {}) =>
  call('/session', {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { ...json, ...headers },
    connection,
  })
const signIn = (sent: string) => post({ token: sent })
const sessionIn = async (response: Response) => ((await response.json()) as { session: string }).session
const bearer = (secret: string) => ({ authorization: `Bearer ${secret}` })
const statusWith = async (secret: string, connection: Partial<Connection> = {}) =>
  (await call('/thing', { headers: bearer(secret), connection })).status
const ofAnotherUser = { user: () => (process.geteuid?.() ?? 0) + 1 }

describe('a session', () => {
  test('is issued for the token, in the response body and never as a cookie', async () => {
    const response = await signIn(token)
    expect([response.status, response.headers.has('set-cookie')]).toEqual([200, false])
    const { token_required, expires_at, session, ticket } = (await response.json()) as Record<string, string>
    expect([token_required as unknown, new Date(expires_at!) > new Date(), ticket]).toEqual([
      true,
      true,
      null,
    ])
    expect(session).toMatch(/^[\w-]{43}$/)
    expect(await statusWith(session!)).toBe(200)
  })

  test('is also issued for the token in the header, with a new secret each time', async () => {
    const openSession = () => call('/session', { method: 'POST', headers: bearer(token) })
    const [one, other] = [await sessionIn(await openSession()), await sessionIn(await openSession())]
    expect(one).not.toBe(other)
  })

  test('is refused as a cookie, which browsers would send to every port of the computer', async () => {
    const cookie = `dictation_session=${await sessionIn(await signIn(token))}`
    expect((await call('/thing', { headers: { cookie } })).status).toBe(401)
  })

  test('cannot create another session', async () => {
    const session = await sessionIn(await signIn(token))
    expect((await post({}, bearer(session))).status).toBe(401)
  })

  test('is only valid for programs of the server’s user, like its tickets, while the token is valid for all', async () => {
    const session = await sessionIn(await signIn(token))
    expect(await statusWith(session, ofAnotherUser)).toBe(403)
    expect(await statusWith(session)).toBe(200)
    expect(await statusWith(token, ofAnotherUser)).toBe(200)
    expect((await post({ ticket: true }, bearer(session), ofAnotherUser)).status).toBe(403)
  })

  test('ends on sign-out, and other sessions do not', async () => {
    const [one, other] = [await sessionIn(await signIn(token)), await sessionIn(await signIn(token))]
    const left = await call('/session', { method: 'DELETE', headers: bearer(one) })
    expect([left.status, await left.text()]).toEqual([204, ''])
    expect([await statusWith(one), await statusWith(other)]).toEqual([401, 200])
    expect((await call('/session', { method: 'DELETE' })).status).toBe(204)
  })

  test('expires after a week, or as the oldest of more than a thousand', () => {
    let now = 0
    const access = createAccess({ token, passedMs: () => now })
    const isSignedIn = (session: string) =>
      access.isSignedIn(new Request('http://localhost', { headers: bearer(session) }))
    const { session, expiresAt } = access.openSession()
    expect(Math.abs(expiresAt.getTime() - Date.now() - WEEK_MS)).toBeLessThan(60_000)
    now = WEEK_MS - 1
    expect(isSignedIn(session)).toBe(true)
    now = WEEK_MS
    expect(isSignedIn(session)).toBe(false)
    const many = Array.from({ length: 1001 }, () => access.openSession().session)
    expect([isSignedIn(many[0]!), isSignedIn(many[1]!)]).toEqual([false, true])
  })

  test('expires in time although the wall clock is set back', () => {
    let now = 0
    const access = createAccess({ token, passedMs: () => now })
    const { session } = access.openSession()
    const { ticket } = access.issueTicket('/thing')
    const request = new Request(`http://localhost/thing?ticket=${ticket}`)
    const back = jest.useFakeTimers({ now: new Date('2001-01-01T00:00:00Z') })
    try {
      now = WEEK_MS
      expect(access.isSignedIn(new Request('http://localhost', { headers: bearer(session) }))).toBe(false)
      expect(access.isSignedIn(request)).toBe(false)
    } finally {
      back.useRealTimers()
    }
  })

  test('is not needed if the server requires no token', async () => {
    const { call: callOpen } = await webOf([thing])
    const response = await callOpen('/session', { method: 'POST' })
    expect(await response.json()).toEqual({
      token_required: false,
      expires_at: null,
      session: null,
      ticket: null,
    })
  })
})

describe('a ticket', () => {
  const asSocket = { upgrade: 'websocket', connection: 'Upgrade' }
  const askForTicket = async () => {
    const response = await post({ token, ticket: true })
    expect(response.status).toBe(200)
    const { ticket } = (await response.json()) as { ticket: string }
    expect(ticket).toMatch(/^[\w-]{43}$/)
    return ticket
  }
  const openWith = async (ticket: string, headers: Record<string, string> = asSocket) =>
    (await call(`/socket?ticket=${ticket}`, { headers })).status

  test('opens one socket, and no second one', async () => {
    const [one, other] = [await askForTicket(), await askForTicket()]
    expect([await openWith(one), await openWith(one), await openWith(other)]).toEqual([200, 401, 200])
  })

  test('opens nothing but a socket, and is refused as a token, a cookie or a key', async () => {
    const ticket = await askForTicket()
    expect(await openWith(ticket, {})).toBe(401)
    for (const headers of [
      { authorization: `Bearer ${ticket}` },
      { 'sec-websocket-protocol': `realtime, openai-insecure-api-key.${ticket}` },
    ])
      expect((await call('/thing', { headers: { ...asSocket, ...headers } as never })).status).toBe(401)
    expect(await openWith(ticket)).toBe(200)
  })

  test('is refused with another method, even if the request has the headers of an upgrade', async () => {
    const ticket = await askForTicket()
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'HEAD'])
      expect((await call(`/thing?ticket=${ticket}`, { method, headers: asSocket })).status, method).toBe(401)
    const keyed = { ...asSocket, 'sec-websocket-protocol': `openai-insecure-api-key.${token}` }
    expect((await call('/thing', { method: 'POST', headers: keyed })).status).toBe(401)
    expect(await openWith(ticket)).toBe(200)
  })

  test('cannot be exchanged for another ticket', async () => {
    const access = createAccess({ token })
    for (const [path, headers] of [
      [null, asSocket],
      ['/session', {}],
    ] as const) {
      const address = `http://localhost/session?ticket=${access.issueTicket(path).ticket}`
      expect(access.hasSession(new Request(address, { headers }))).toBe(false)
      expect(access.isSignedIn(new Request(address, { headers }))).toBe(true)
    }
    const sent = { method: 'POST', headers: { ...json, ...asSocket }, body: '{"path":"/thing"}' }
    expect((await call(`/session?ticket=${await askForTicket()}`, sent)).status).toBe(422)
  })

  test('expires after half a minute', () => {
    let now = 0
    const access = createAccess({ token, passedMs: () => now })
    const admits = (ticket: string) =>
      access.isSignedIn(new Request(`http://localhost/?ticket=${ticket}`, { headers: asSocket }))
    const [one, late] = [access.issueTicket(null), access.issueTicket(null)]
    now = 29_999
    expect(admits(one.ticket)).toBe(true)
    now = 30_000
    expect(admits(late.ticket)).toBe(false)
  })

  test('is refused for a program of another user, and stays valid for its own', async () => {
    const ticket = await askForTicket()
    const theirs = await call(`/socket?ticket=${ticket}`, { headers: asSocket, connection: ofAnotherUser })
    expect([theirs.status, await openWith(ticket)]).toEqual([403, 200])
  })
})

describe('a ticket for a path', () => {
  const ticketFor = async (path: string, headers: Record<string, string> = bearer(token)) => {
    const response = await post({ ticket: true, path }, headers)
    expect(response.status).toBe(200)
    return ((await response.json()) as { ticket: string }).ticket
  }
  const statusOf = async (address: string, init: Parameters<Call>[1] = {}) =>
    (await call(address, init)).status

  test('opens any number of GET requests, and is also issued for a session', async () => {
    const session = await sessionIn(await signIn(token))
    const ticket = await ticketFor('/socket', bearer(session))
    for (let time = 0; time < 3; time++) expect(await statusOf(`/socket?ticket=${ticket}`)).toBe(200)
    expect(await statusOf(`/socket?ticket=${ticket}`, { method: 'HEAD' })).toBe(200)
  })

  test('is refused for another path, another method, a socket, and another user', async () => {
    const ticket = await ticketFor('/socket')
    for (const path of ['/thing', '/socket/', '/captures', '/socketx'])
      expect(await statusOf(`${path}?ticket=${ticket}`), path).toBe(401)
    for (const method of ['POST', 'DELETE', 'PUT', 'PATCH'])
      expect(await statusOf(`/socket?ticket=${ticket}`, { method }), method).toBe(401)
    const upgrade = { headers: { upgrade: 'websocket', connection: 'Upgrade' } }
    expect(await statusOf(`/socket?ticket=${ticket}`, upgrade)).toBe(401)
    expect(await statusOf(`/socket?ticket=${ticket}`, { connection: ofAnotherUser })).toBe(403)
    expect(await statusOf('/socket', { headers: bearer(ticket) })).toBe(401)
    expect((await post({ ticket: true }, bearer(ticket))).status).toBe(401)
  })

  test('expires after twelve hours', () => {
    let now = 0
    const access = createAccess({ token, passedMs: () => now })
    const { ticket } = access.issueTicket('/thing')
    const request = new Request(`http://localhost/thing?ticket=${ticket}`)
    now = 12 * 3600 * 1000 - 1
    expect(access.isSignedIn(request)).toBe(true)
    now += 1
    expect(access.isSignedIn(request)).toBe(false)
  })

  test('is not issued for an invalid path, or without a token or session', async () => {
    for (const path of ['', 'thing', 'http://a.test/', '/a b', `/${'a'.repeat(501)}`])
      expect((await post({ ticket: true, path }, bearer(token))).status, path).toBe(422)
    expect((await post({ ticket: true, path: '/thing' })).status).toBe(401)
  })
})

test('accepts the token as a subprotocol of a socket, as OpenAI’s browser clients send it', async () => {
  const openAs = async (key: string, upgrade: string) =>
    (
      await call('/thing', {
        headers: { upgrade, 'sec-websocket-protocol': `realtime, openai-insecure-api-key.${key}` },
      })
    ).status
  expect(await openAs(token, 'websocket')).toBe(200)
  expect([await openAs('wrong', 'websocket'), await openAs(token, 'h2c')]).toEqual([401, 401])
})

describe('refuses', () => {
  const wrong = ['', 'x', `${token}x`, token.slice(0, -1), token.toUpperCase(), ` ${token}`]
  for (const sent of wrong)
    test(`to sign in with "${sent}"`, async () => {
      const response = await signIn(sent)
      expect(response.status).toBe(401)
      expect(response.headers.get('www-authenticate')).toBe('Bearer')
    })

  test('to sign in without a token, or with an invalid one', async () => {
    expect((await call('/session', { method: 'POST' })).status).toBe(401)
    for (const body of ['{"token":1}', '{"token":"x","more":1}'])
      expect((await call('/session', { method: 'POST', body, headers: json })).status).toBe(422)
  })

  test('secrets that it did not issue', async () => {
    const real = await sessionIn(await signIn(token))
    for (const secret of [`${real}x`, real.slice(1), real.toUpperCase(), ''])
      expect(await statusWith(secret), secret).toBe(401)
  })

  test('pages of other sites, session or not', async () => {
    const session = bearer(await sessionIn(await signIn(token)))
    for (const headers of [{ origin: 'http://evil.test' }, { 'sec-fetch-site': 'same-site' }]) {
      const there = { ...headers, ...session } as Record<string, string>
      expect((await call('/thing', { headers: there })).status).toBe(403)
      expect((await post({}, there)).status).toBe(403)
    }
  })
})

test('the page and the documentation need no token, and data does', async () => {
  const html = { accept: 'text/html' }
  for (const path of ['/', '/docs', '/docs/json', '/openapi.json', '/docs/page/start.js', '/page/main.js'])
    expect((await call(path, { headers: html })).status, path).toBe(200)
  expect((await call('/thing', { headers: html })).status).toBe(401)
  const document = await app.document()
  expect(document.security).toEqual([{ bearer: [] }])
  expect(document.paths['/session']?.post?.security).toEqual([])
})
