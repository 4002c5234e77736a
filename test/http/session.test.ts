// Signing in: the token against a cookie, what the cookie opens, and the page that asks for the token.

import { describe, expect, test } from 'bun:test'
import { defineRoute } from '../../src/http/contract/route.ts'
import { createAccess } from '../../src/http/server/access.ts'
import { declared, webOf } from '../support/web.ts'

const token = 'correct-horse-battery'
const thing = defineRoute({ ...declared, method: 'GET', path: '/thing', operationId: 'thing' }, () =>
  Response.json({ done: true }),
)
const { call, app } = await webOf([thing], { token })
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
    expect(await response.json()).toEqual({ token_required: false, expires_at: null })
    expect(response.headers.has('set-cookie')).toBe(false)
  })
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
