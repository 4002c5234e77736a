// Signing in: the token against a cookie, what the cookie opens, and the page that asks for the token.

import { describe, expect, test } from 'bun:test'
import { defineRoute } from '../../src/http/contract/route.ts'
import { openObject } from '../../src/http/contract/schema.ts'
import { createAccess } from '../../src/http/server/access.ts'
import { declared, webOf } from '../support/web.ts'

const token = 'correct-horse-battery'
const thing = defineRoute({ ...declared, method: 'GET', path: '/thing', operationId: 'thing' }, () =>
  Response.json({ done: true }),
)
const socket = defineRoute(
  { ...declared, method: 'GET', path: '/socket', operationId: 'socket', query: openObject({}) },
  () => Response.json({ done: true }),
)
const { call, app } = await webOf([thing, socket], { token })
const json = { 'content-type': 'application/json' }
const signIn = (sent: string) =>
  call('/session', { method: 'POST', body: JSON.stringify({ token: sent }), headers: json })
const cookieOf = (response: Response) => response.headers.get('set-cookie')!
const cookieIn = (response: Response) => cookieOf(response).split(';')[0]!
const statusWith = async (cookie: string) => (await call('/thing', { headers: { cookie } })).status

describe('a session', () => {
  test('is given for the token, as a cookie that no script and no other site can use', async () => {
    const response = await signIn(token)
    expect(response.status).toBe(200)
    const { token_required, expires_at } = (await response.json()) as Record<string, string>
    expect([token_required as unknown, new Date(expires_at!) > new Date()]).toEqual([true, true])
    expect(cookieOf(response)).toMatch(
      /^dictation_session=[\w-]{43}; HttpOnly; SameSite=Strict; Path=\/; Max-Age=604800$/,
    )
    expect(cookieOf(response)).not.toContain(token)
    expect(await statusWith(cookieIn(response))).toBe(200)
    expect(await statusWith(`theme=dark; ${cookieIn(response)}; other=1`)).toBe(200)
  })

  test('is given for the header, too, and every one is another', async () => {
    const ask = () => call('/session', { method: 'POST', headers: { authorization: `Bearer ${token}` } })
    const [one, other] = [await ask(), await ask()]
    expect([one.status, other.status]).toEqual([200, 200])
    expect(cookieIn(one)).not.toBe(cookieIn(other))
  })

  test('ends when one signs out, and the others stay', async () => {
    const [one, other] = [await signIn(token), await signIn(token)]
    const left = await call('/session', { method: 'DELETE', headers: { cookie: cookieIn(one) } })
    expect([left.status, await left.text()]).toEqual([204, ''])
    expect(cookieOf(left)).toBe('dictation_session=; HttpOnly; SameSite=Strict; Path=/; Max-Age=0')
    expect([await statusWith(cookieIn(one)), await statusWith(cookieIn(other))]).toEqual([401, 200])
    expect((await call('/session', { method: 'DELETE' })).status).toBe(204)
  })

  test('ends after a week, and the oldest of a hundred makes way', () => {
    let now = new Date('2026-01-01T00:00:00Z')
    const access = createAccess({ token, clock: () => now })
    const asked = (cookie: string) =>
      new Request('http://localhost', { headers: { cookie: cookie.split(';')[0]! } })
    const first = access.openSession()
    expect(access.isAuthorized(asked(first.cookie))).toBe(true)
    now = new Date('2026-01-07T23:59:59Z')
    expect(access.isAuthorized(asked(first.cookie))).toBe(true)
    now = new Date('2026-01-08T00:00:00Z')
    expect([first.expiresAt, access.isAuthorized(asked(first.cookie))]).toEqual([now, false])
    const many = Array.from({ length: 101 }, () => access.openSession())
    expect(access.isAuthorized(asked(many[0]!.cookie))).toBe(false)
    expect(access.isAuthorized(asked(many[1]!.cookie))).toBe(true)
  })

  test('is not needed where no token is demanded', async () => {
    const { call: callOpen } = await webOf([thing])
    const response = await callOpen('/session', { method: 'POST' })
    expect(await response.json()).toEqual({ token_required: false, expires_at: null, ticket: null })
    expect(response.headers.has('set-cookie')).toBe(false)
  })
})

describe('a ticket', () => {
  const asSocket = { upgrade: 'websocket', connection: 'Upgrade' }
  const askForTicket = async () => {
    const response = await call('/session', {
      method: 'POST',
      body: JSON.stringify({ token, ticket: true }),
      headers: json,
    })
    expect([response.status, response.headers.has('set-cookie')]).toEqual([200, false])
    const { ticket } = (await response.json()) as { ticket: string }
    expect(ticket).toMatch(/^[\w-]{43}$/)
    return ticket
  }
  const openWith = async (ticket: string, headers: Record<string, string> = asSocket) =>
    (await call(`/socket?ticket=${ticket}`, { headers })).status

  test('lets one socket in, and no second one', async () => {
    const [one, other] = [await askForTicket(), await askForTicket()]
    expect([await openWith(one), await openWith(one), await openWith(other)]).toEqual([200, 401, 200])
  })

  test('refuses to open anything but a socket, or as a token, a cookie or a key', async () => {
    const ticket = await askForTicket()
    expect(await openWith(ticket, {})).toBe(401)
    for (const headers of [
      { authorization: `Bearer ${ticket}` },
      { cookie: `dictation_session=${ticket}` },
      { 'sec-websocket-protocol': `realtime, openai-insecure-api-key.${ticket}` },
    ])
      expect((await call('/thing', { headers: { ...asSocket, ...headers } as never })).status).toBe(401)
    expect(await openWith(ticket)).toBe(200)
  })

  test('is of no use after half a minute, and the oldest of a hundred makes way', () => {
    let now = new Date('2026-01-01T00:00:00Z')
    const access = createAccess({ token, clock: () => now })
    const admits = (ticket: string) =>
      access.isAuthorized(new Request(`http://localhost/?ticket=${ticket}`, { headers: asSocket }))
    const [one, late] = [access.issueTicket(), access.issueTicket()]
    now = new Date('2026-01-01T00:00:29Z')
    expect(admits(one.ticket)).toBe(true)
    now = new Date('2026-01-01T00:00:30Z')
    expect(admits(late.ticket)).toBe(false)
    const many = Array.from({ length: 101 }, () => access.issueTicket().ticket)
    expect([admits(many[0]!), admits(many[1]!)]).toEqual([false, true])
  })
})

test('a socket may offer the token as a protocol, as OpenAI’s clients in browsers do', async () => {
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
      expect(response.headers.has('set-cookie')).toBe(false)
    })

  test('to sign in without a token, or with what is no token', async () => {
    expect((await call('/session', { method: 'POST' })).status).toBe(401)
    for (const body of ['{"token":1}', '{"token":"x","more":1}'])
      expect((await call('/session', { method: 'POST', body, headers: json })).status).toBe(422)
  })

  test('cookies that it did not give, and the token in place of one', async () => {
    const real = cookieIn(await signIn(token))
    const cookies = [
      ...['', 'dictation_session', 'dictation_session=', `dictation_session=${token}`, `${real}x`],
      ...[real.toUpperCase(), real.replace('dictation', 'other'), `x${real}`],
    ]
    for (const cookie of cookies) expect(await statusWith(cookie), cookie).toBe(401)
  })

  test('pages of other sites, cookie or not', async () => {
    const cookie = cookieIn(await signIn(token))
    for (const headers of [{ origin: 'http://evil.test' }, { 'sec-fetch-site': 'same-site' }]) {
      expect(
        (await call('/thing', { headers: { ...headers, cookie } as Record<string, string> })).status,
      ).toBe(403)
      const there = { ...json, ...headers } as Record<string, string>
      expect((await call('/session', { method: 'POST', body: '{}', headers: there })).status).toBe(403)
    }
  })
})

describe('the documentation', () => {
  test('asks for the token first, on a page that runs its own script alone', async () => {
    const page = await call('/docs')
    expect(page.status).toBe(200)
    const [html, policy] = [await page.text(), page.headers.get('content-security-policy')]
    expect(html).toContain('<form>')
    expect(html).not.toContain('swagger')
    expect(policy).toContain("script-src 'self'")
    expect(page.headers.get('cache-control')).toBe('no-store')
    const scripts = [...html.matchAll(/src="([^"]*)"/g)].map(([, source]) => source!)
    expect(scripts).toEqual(['/docs/page/sign-in.js'])
    const script = await call(scripts[0]!)
    expect([script.status, script.headers.get('content-type')]).toEqual([
      200,
      expect.stringContaining('javascript'),
    ])
    for (const path of ['/docs/json', '/openapi.json', '/docs/page/start.js', '/docs/assets/swagger-ui.css'])
      expect((await call(path)).status, path).toBe(401)
  })

  test('is shown with the cookie or the token', async () => {
    const cookie = cookieIn(await signIn(token))
    for (const headers of [{ cookie }, { authorization: `Bearer ${token}` }]) {
      const given = headers as Record<string, string>
      expect(await (await call('/docs', { headers: given })).text()).toContain('swagger')
      expect((await call('/docs/json', { headers: given })).status).toBe(200)
    }
  })

  test('names both ways to be let in', async () => {
    const document = await app.document()
    expect(document.security).toEqual([{ bearer: [] }, { session: [] }])
    expect(document.paths['/session']?.post?.security).toEqual([])
  })
})
