// Every case is a request that a program or a web page can really send.

import { describe, expect, test } from 'bun:test'
import type { PeerUser } from '../../../src/http/kernel/connection.ts'
import { defineRoute } from '../../../src/http/kernel/route.ts'
import { strictObject } from '../../../src/http/kernel/schema.ts'
import { ownNames } from '../../../src/http/server/origins.ts'
import { declared, webOf } from '../../support/web.ts'

let handled = 0
const routes = (['GET', 'POST', 'DELETE'] as const).map((method) =>
  defineRoute(
    { ...declared, method, path: '/thing', operationId: method.toLowerCase(), query: strictObject({}) },
    () => {
      handled++
      return Response.json({ done: true })
    },
  ),
)
const open = defineRoute(
  { ...declared, method: 'GET', path: '/health', operationId: 'health', open: true },
  () => Response.json({ status: 'healthy' }),
)

const own = 'localhost:17493'

describe('Host', () => {
  const web = webOf(routes)
  const foreign = [
    ['another name', 'evil.test'],
    ['another name with our port', 'evil.test:17493'],
    ['a rebinding name', '127.0.0.1.nip.io:17493'],
    ['a name that starts like ours', 'localhost.evil.test:17493'],
    ['a trailing dot', 'localhost.:17493'],
    ['another port', 'localhost:17494'],
    ['no port', 'localhost'],
    ['a decimal address', '2130706433:17493'],
    ['an octal address', '0177.0.0.1:17493'],
    ['a short address', '127.1:17493'],
    ['another loopback address', '127.0.0.2:17493'],
    ['the unspecified address', '0.0.0.0:17493'],
    ['an unbracketed IPv6 address', '::1:17493'],
    ['a mapped IPv6 address', '[::ffff:127.0.0.1]:17493'],
    ['credentials', 'localhost@evil.test:17493'],
    ['two hosts', `${own}, evil.test`],
    ['a path', `${own}/thing`],
  ]
  for (const [what, host] of foreign) {
    for (const method of ['GET', 'POST', 'DELETE', 'OPTIONS', 'PUT']) {
      test(`refuses ${method} for ${what}`, async () => {
        const before = handled
        const response = await (await web).call('/thing', { method, headers: { host: host! } })
        expect(response.status).toBe(403)
        expect(response.headers.get('connection')).toBe('close')
        expect(((await response.json()) as { code: string }).code).toBe('host_not_allowed')
        expect(handled).toBe(before)
      })
    }
  }

  test('refuses a foreign host for unknown addresses and for the documentation', async () => {
    for (const path of ['/nothing', '/docs', '/docs/assets/swagger-ui.css', '/health']) {
      expect((await (await web).call(path, { headers: { host: 'evil.test' } })).status).toBe(403)
    }
  })

  for (const host of [own, 'LOCALHOST:17493', '127.0.0.1:17493', '[::1]:17493']) {
    test(`accepts ${host}`, async () => {
      expect((await (await web).call('/thing', { headers: { host } })).status).toBe(200)
    })
  }

  test('accepts a name without a port only on port 80', async () => {
    const { call } = await webOf(routes, { port: 80 })
    expect((await call('/thing', { headers: { host: 'localhost' } })).status).toBe(200)
  })
})

describe('Origin', () => {
  const web = webOf(routes)
  const foreign = [
    'http://evil.test',
    'https://localhost:17493',
    'http://localhost:4271',
    'http://localhost',
    'http://localhost:17493.evil.test',
    'http://localhost:17493/',
    'http://tauri.localhost:8080',
    'http://tauri.localhost',
    'https://tauri.localhost',
    'http://ionic.localhost',
    'http://127.0.0.1',
    'http://[::1]:80',
    'ionic://localhost',
    'http://evil.tauri.localhost',
    'capacitor://evil.test',
    'app://',
    'chrome-extension://abcdefgh',
    'null',
    'file://',
    '',
  ]
  for (const origin of foreign) {
    for (const method of ['GET', 'POST', 'DELETE', 'OPTIONS']) {
      test(`refuses ${method} from ${JSON.stringify(origin)}`, async () => {
        const before = handled
        const response = await (await web).call('/thing', { method, headers: { origin } })
        expect(response.status).toBe(403)
        expect(response.headers.has('access-control-allow-origin')).toBe(false)
        expect(((await response.json()) as { code: string }).code).toBe('origin_not_allowed')
        expect(handled).toBe(before)
      })
    }
  }

  test('names the setting that would allow the page, with only that origin added', async () => {
    const detailFor = async (origin: string, origins: string[] = []) => {
      const response = await (await webOf(routes, { origins })).call('/thing', { headers: { origin } })
      return ((await response.json()) as { detail: string }).detail
    }
    expect(await detailFor('http://localhost:5173')).toContain(' DICTATION_ORIGINS=http://localhost:5173 in ')
    expect(await detailFor('null', ['http://a.test'])).toContain(' DICTATION_ORIGINS=http://a.test,null in ')
    expect(await detailFor('no origin, <b>')).not.toContain('<b>')
  })

  for (const host of ['localhost', '127.0.0.1', '[::1]']) {
    test(`accepts its own page under ${host}`, async () => {
      const headers = { origin: `http://${host}:17493`, 'sec-fetch-site': 'same-origin' }
      expect((await (await web).call('/thing', { method: 'POST', headers })).status).toBe(200)
    })
  }
})

describe('Sec-Fetch-Site without Origin', () => {
  const web = webOf(routes)
  const cases: [what: string, headers: Record<string, string>][] = [
    ['an image', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' }],
    ['audio', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'audio' }],
    ['a script', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'script' }],
    [
      'another port',
      { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' },
    ],
    ['a frame', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' }],
    ['an unknown value', { 'sec-fetch-site': 'elsewhere' }],
  ]
  for (const [what, headers] of cases) {
    test(`refuses ${what} of another site`, async () => {
      const response = await (await web).call('/thing', { headers })
      expect(response.status).toBe(403)
      expect(((await response.json()) as { code: string }).code).toBe('cross_site')
    })
  }

  const link = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }
  test('refuses a form that another site submits into a new window', async () => {
    expect((await (await web).call('/thing', { method: 'POST', headers: link })).status).toBe(403)
  })
  test('accepts a navigation by a link', async () => {
    expect((await (await web).call('/thing', { headers: link })).status).toBe(200)
  })
  test('accepts programs, which send neither header, and typed addresses', async () => {
    expect((await (await web).call('/thing')).status).toBe(200)
    expect((await (await web).call('/thing', { headers: { 'sec-fetch-site': 'none' } })).status).toBe(200)
  })
})

describe('peer', () => {
  const web = webOf(routes)
  for (const peer of ['192.168.1.7', '10.0.0.1', '8.8.8.8', 'fe80::1', '::ffff:192.168.1.7', '128.0.0.1']) {
    test(`refuses ${peer}`, async () => {
      const response = await (await web).call('/thing', { connection: { peer } })
      expect(response.status).toBe(403)
      expect(((await response.json()) as { code: string }).code).toBe('peer_not_local')
    })
  }
  test('refuses a peer of the network even with a valid token', async () => {
    const { call } = await webOf(routes, { token: 'a-token-long-enough' })
    const headers = { authorization: 'Bearer a-token-long-enough' }
    expect((await call('/thing', { headers, connection: { peer: '192.168.1.7' } })).status).toBe(403)
  })
  for (const peer of ['127.0.0.1', '127.0.0.53', '::1', '::ffff:127.0.0.1']) {
    test(`accepts ${peer}`, async () => {
      expect((await (await web).call('/thing', { connection: { peer } })).status).toBe(200)
    })
  }
})

describe('user', () => {
  const token = 'a-token-long-enough'
  const own = process.geteuid?.() ?? 0
  const another = own + 1
  const statusOf = async (user: PeerUser, more: Parameters<typeof webOf>[1] = {}, authorization = '') => {
    const { call } = await webOf([...routes, open], more)
    const before = handled
    const responses = await Promise.all(
      ['/thing', '/health', '/nothing', '/docs', '/docs/assets/swagger-ui.css'].map((path) =>
        call(path, { headers: { authorization }, connection: { user: () => user } }),
      ),
    )
    const codes = await Promise.all(
      responses.map(async (each) => (await each.json().catch(() => null))?.code),
    )
    return { statuses: responses.map(({ status }) => status), codes, handled: handled - before }
  }

  for (const [what, user] of [
    ['of another user', another],
    ['that is gone', null],
  ] as const)
    test(`refuses a program ${what}, everywhere`, async () => {
      for (const options of [{}, { token }]) {
        const { statuses, codes, handled } = await statusOf(user, options)
        expect([statuses, codes]).toEqual([Array(5).fill(403), Array(5).fill('peer_of_another_user')])
        expect(handled).toBe(0)
      }
    })

  test('refuses it with a wrong token, and with any token if the server requires none', async () => {
    expect((await statusOf(another, { token }, `Bearer ${token}x`)).statuses).toEqual(Array(5).fill(403))
    expect((await statusOf(another, {}, `Bearer ${token}`)).statuses).toEqual(Array(5).fill(403))
  })

  test('refuses its preflight', async () => {
    const { call } = await webOf(routes, { origins: ['tauri://localhost'] })
    const headers = { origin: 'tauri://localhost', 'access-control-request-method': 'POST' }
    const response = await call('/thing', { method: 'OPTIONS', headers, connection: { user: () => another } })
    expect(response.status).toBe(403)
  })

  test('accepts it with the token, or if any user may call', async () => {
    expect((await statusOf(another, { token }, `Bearer ${token}`)).handled).toBe(1)
    expect((await statusOf(another, { users: 'any' })).handled).toBe(1)
    expect((await statusOf(null, { users: 'any' })).handled).toBe(1)
  })

  test('accepts its own user, root, and unknown users', async () => {
    for (const user of [own, 0, 'unknown'] as const) expect((await statusOf(user)).handled).toBe(1)
  })

  test('requires the token even if any user may call', async () => {
    expect((await statusOf(another, { users: 'any', token })).statuses).toEqual([401, 200, 401, 200, 200])
  })
})

describe('token', () => {
  const token = 'correct-horse-battery'
  const web = webOf([...routes, open], { token })
  const wrong = [
    undefined,
    '',
    token,
    'Bearer',
    'Bearer ',
    `Bearer ${token}x`,
    `Bearer ${token.slice(0, -1)}`,
    `Bearer ${token.toUpperCase()}`,
    `Basic ${token}`,
    `Bearer ${token} ${token}`,
  ]
  for (const authorization of wrong) {
    test(`refuses ${authorization === undefined ? 'its absence' : JSON.stringify(authorization)}`, async () => {
      const { call } = await web
      const headers: Record<string, string> = authorization === undefined ? {} : { authorization }
      for (const path of ['/thing', '/nothing']) {
        const response = await call(path, { headers })
        expect(response.status).toBe(401)
        expect(response.headers.get('www-authenticate')).toBe('Bearer')
      }
    })
  }
  test('refuses a token in the URL', async () => {
    expect((await (await web).call(`/thing?token=${token}`)).status).toBe(401)
  })
  test('accepts a request with the token, and /health without it', async () => {
    const { call } = await web
    expect((await call('/thing', { headers: { authorization: `Bearer ${token}` } })).status).toBe(200)
    expect((await call('/thing', { headers: { authorization: `bearer ${token}` } })).status).toBe(200)
    expect((await call('/health')).status).toBe(200)
  })
})

describe('added names of this computer', () => {
  const web = webOf(routes, { hostNames: ['host.docker.internal', 'dictation.test:8080'] })
  const statusFor = async (host: string, more: Record<string, string> = {}) =>
    (await (await web).call('/thing', { method: 'POST', headers: { host, ...more } })).status

  test('are accepted, and their own pages with them', async () => {
    expect(await statusFor('host.docker.internal:17493')).toBe(200)
    expect(await statusFor('Host.Docker.Internal')).toBe(200)
    expect(await statusFor('dictation.test:8080')).toBe(200)
    expect(await statusFor(own)).toBe(200)
    const origin = 'http://host.docker.internal:17493'
    expect(await statusFor('host.docker.internal:17493', { origin })).toBe(200)
  })
  test('refuses the pages on other ports of these names, which other programs serve', async () => {
    const host = 'host.docker.internal:17493'
    for (const name of ['host.docker.internal', 'host.docker.internal:80', 'dictation.test:8080'])
      expect(await statusFor(host, { origin: `http://${name}` }), name).toBe(403)
    expect(await statusFor(host, { origin: `https://${host}` })).toBe(403)
  })
  test('refuses other names and ports, and peers that are not on this computer', async () => {
    expect(await statusFor('docker.internal:17493')).toBe(403)
    expect(await statusFor('evil.host.docker.internal:17493')).toBe(403)
    expect(await statusFor('host.docker.internal:9')).toBe(403)
    expect(await statusFor('dictation.test')).toBe(403)
    const headers = { host: 'host.docker.internal:17493' }
    const far = await (await web).call('/thing', { headers, connection: { peer: '172.17.0.2' } })
    expect([far.status, ((await far.json()) as { code: string }).code]).toEqual([403, 'peer_not_local'])
  })
  test('names the setting that would add a refused name', async () => {
    const detailFor = async (host: string) => {
      const response = await (await web).call('/thing', { headers: { host } })
      return ((await response.json()) as { detail: string }).detail
    }
    const added = 'DICTATION_HOSTS=host.docker.internal,dictation.test:8080'
    expect(await detailFor('other.test:17493')).toContain(` ${added},other.test in `)
    expect(await detailFor('other.test:9')).toContain(` ${added},other.test:9 in `)
    expect(await detailFor('<b>')).not.toContain('<b>')
  })
})

describe('a server on only one loopback address', () => {
  const statusFor = async (names: string[], headers: Record<string, string>) => {
    const { call } = await webOf(routes)
    return (await call('/thing', { method: 'POST', headers, connection: { names } })).status
  }
  const [v4, v6] = ['127.0.0.1:17493', '[::1]:17493']

  test('accepts that address', async () => {
    expect(ownNames(['127.0.0.1'])).toEqual(['127.0.0.1'])
    expect(await statusFor(['127.0.0.1'], { host: v4, origin: `http://${v4}` })).toBe(200)
    expect(await statusFor(['[::1]'], { host: v6, origin: `http://${v6}` })).toBe(200)
  })
  test('refuses the other address and localhost, whose page another program may have served', async () => {
    for (const [names, other] of [
      [ownNames(['127.0.0.1']), v6],
      [ownNames(['::1']), v4],
    ] as const)
      for (const host of [other, own]) {
        expect(await statusFor(names, { host })).toBe(403)
        expect(await statusFor(names, { host: `${names[0]}:17493`, origin: `http://${host}` })).toBe(403)
      }
  })
  test('says how to allow localhost, which is allowed if the server listens on both', async () => {
    const { call } = await webOf(routes)
    const answer = await call('/thing', { headers: { host: own }, connection: { names: ['127.0.0.1'] } })
    const { detail } = (await answer.json()) as { detail: string }
    expect(detail).toBe('Use http://127.0.0.1:17493. Start the server with HOST=localhost to use that name.')
    expect(ownNames(['127.0.0.1', '::1'])).toEqual(['localhost', '127.0.0.1', '[::1]'])
  })
})

describe('installed programs', () => {
  const origins = [
    'tauri://localhost',
    'app://obsidian.md',
    'app://-',
    'vscode-webview://1a2b3c',
    'capacitor://localhost',
  ]
  for (const origin of origins)
    test(`of ${origin} are allowed by default, and may read the responses`, async () => {
      const { call } = await webOf(routes)
      const headers = { origin, 'sec-fetch-site': 'cross-site' }
      const response = await call('/thing', { method: 'POST', headers })
      expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([200, origin])
    })
})

describe('configured origins', () => {
  const app = 'http://localhost:5173'
  const web = webOf(routes, { origins: [app] })

  test('are echoed exactly and never with credentials', async () => {
    const response = await (await web).call('/thing', {
      method: 'POST',
      headers: { origin: app, 'sec-fetch-site': 'cross-site' },
    })
    expect(response.status).toBe(200)
    expect(response.headers.get('access-control-allow-origin')).toBe(app)
    expect(response.headers.has('access-control-allow-credentials')).toBe(false)
    expect(response.headers.get('vary')).toContain('Origin')
  })
  test('get a preflight response, with or without a token', async () => {
    const { call } = await webOf(routes, { origins: [app], token: 'a-token-long-enough' })
    const headers = { origin: app, 'access-control-request-method': 'DELETE' }
    const response = await call('/thing', { method: 'OPTIONS', headers })
    expect(response.status).toBe(204)
    expect(response.headers.get('access-control-allow-methods')).toContain('DELETE')
    expect(response.headers.get('access-control-allow-headers')).toContain('Content-Type')
  })
  test('may send every header that their preflight requests', async () => {
    const requested = 'authorization,content-type,x-stainless-arch,x-stainless-os'
    const headers = {
      ...{ origin: app, 'access-control-request-method': 'POST' },
      'access-control-request-headers': requested,
    }
    const response = await (await web).call('/thing', { method: 'OPTIONS', headers })
    expect([response.status, response.headers.get('access-control-allow-headers')]).toEqual([204, requested])
  })
  test('may include null and file://', async () => {
    const { call } = await webOf(routes, { origins: ['null', 'file://'] })
    for (const origin of ['null', 'file://'])
      expect((await call('/thing', { headers: { origin } })).headers.get('access-control-allow-origin')).toBe(
        origin,
      )
  })
  test('refuses all others, without CORS headers', async () => {
    const response = await (await web).call('/thing', { headers: { origin: 'http://evil.test' } })
    expect(response.status).toBe(403)
    expect(response.headers.has('access-control-allow-origin')).toBe(false)
  })
})

test('every response has the headers that protect a browser', async () => {
  const { call } = await webOf(routes)
  for (const path of ['/thing', '/nothing', '/thing?x=1', '/docs', '/docs/page/start.js']) {
    const { headers } = await call(path)
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('cross-origin-resource-policy')).toBe('same-origin')
    expect(headers.get('referrer-policy')).toBe('no-referrer')
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    expect(headers.has('access-control-allow-origin')).toBe(false)
  }
})
