// Requests without a route, and routes that throw.

import { describe, expect, test } from 'bun:test'
import { composeApp } from '../../../src/http/compose-app.ts'
import { PROBLEMS, type ProblemBody, problemResponse } from '../../../src/http/kernel/problem.ts'
import { defineRoute } from '../../../src/http/kernel/route.ts'
import { strictObject } from '../../../src/http/kernel/schema.ts'
import { nearestAddress } from '../../../src/http/server/origins.ts'
import type { Log } from '../../../src/lib/log.ts'
import { uuid } from '../../../src/lib/schema.ts'
import { declared, ORIGIN, webOf } from '../../support/web.ts'

const answer = () => Response.json({})
const params = strictObject({ id: uuid() })
const routes = [
  defineRoute({ ...declared, method: 'GET', path: '/things', operationId: 'a' }, answer),
  defineRoute({ ...declared, method: 'POST', path: '/things', operationId: 'b' }, answer),
  defineRoute({ ...declared, method: 'PATCH', path: '/things/{id}', operationId: 'c', params }, answer),
  defineRoute({ ...declared, method: 'DELETE', path: '/things/{id}', operationId: 'd', params }, answer),
  defineRoute({ ...declared, method: 'POST', path: '/things/all', operationId: 'f' }, answer),
  defineRoute({ ...declared, method: 'GET', path: '/broken', operationId: 'e' }, () => {
    throw new Error('SELECT secret FROM /home/ada')
  }),
]
const { call } = await webOf(routes)

describe('unknown addresses', () => {
  const paths = [
    '/page',
    '//things',
    '/things//',
    '/THINGS',
    '/%74hings',
    '/things/a/b',
    '/things%2F',
    '/..%2f..%2fetc/passwd',
    '/docs/assets/',
    '/docs/assets/package.json',
    '/docs/assets/..%2fpackage.json',
    '/docs/assets/%2e%2e/package.json',
    '/docs/page/../page/start.js%00',
    '/swagger',
    '/swagger/json',
    `/${'x'.repeat(4000)}`,
  ]
  for (const path of paths) {
    test(`returns 404 for ${path.slice(0, 60)}`, async () => {
      const response = await call(path)
      expect(response.status).toBe(404)
      expect(((await response.json()) as ProblemBody).code).toBe('no_such_route')
    })
  }
})

test('ignores one trailing slash, but not two', async () => {
  for (const path of ['/things/', '/things/019ab1c2-7c3e-7d41-9a4e-3f6f0d1f9c11/', '/docs/'])
    expect((await call(path)).status, path).not.toBe(404)
})

test('suggests the address with the most similar spelling', async () => {
  const detailOf = async (path: string) => ((await (await call(path)).json()) as ProblemBody).detail
  expect(await detailOf('/thing')).toBe(
    'Nothing is served at this address; did you mean "/things"? See GET /docs for all addresses.',
  )
  for (const path of ['/nowhere-at-all', '/a/b/c'])
    expect(await detailOf(path)).toBe('Nothing is served at this address. See GET /docs for all addresses.')
})

test('suggests the address that shares most words with the path, else the shortest', () => {
  const addresses = ['/captures/{id}/audio', '/captures', '/transcribe', '/settings/captures', '/v1/models']
  for (const [path, near] of [
    ['/settings', '/settings/captures'],
    ['/setings', '/settings/captures'],
    ['/transcribe-audio', '/transcribe'],
    ['/api/v1/capture', '/captures'],
    ['/capture/7/audio', '/captures/{id}/audio'],
    ['/audio', '/captures/{id}/audio'],
    ['/v1/chat/completions', null],
    [`/${'x/'.repeat(2000)}`, null],
    ['/', null],
  ] as const)
    expect(nearestAddress({ method: 'GET', path }, addresses), path).toBe(near)
})

test('names the address, and the method where it is another, that a guess stands for', () => {
  for (const [method, path, near] of [
    ['GET', '/languages', '/openapi.json'],
    ['GET', '/trash', '/captures?trashed=true'],
    ['DELETE', '/trash', 'POST /captures/delete'],
    ['POST', '/trash/empty', 'POST /captures/delete'],
    ['POST', '/transcriptions', 'POST /transcribe'],
    ['POST', '/audio/transcriptions', 'POST /transcribe'],
    ['GET', '/transcriptions', '/captures'],
    ['POST', '/upload', 'POST /captures'],
    ['GET', '/statistics', '/captures/stats'],
  ] as const)
    expect(nearestAddress({ method, path }, []), `${method} ${path}`).toBe(near)
})

test('suggests no file of the page', async () => {
  const { detail } = (await (await call('/main')).json()) as ProblemBody
  expect(detail).toBe('Nothing is served at this address. See GET /docs for all addresses.')
})

describe('methods that an address does not allow', () => {
  const cases: [method: string, path: string, allow: string][] = [
    ['DELETE', '/things', 'GET, HEAD, POST'],
    ['OPTIONS', '/things', 'GET, HEAD, POST'],
    ['GET', '/things/1', 'DELETE, PATCH'],
    ['HEAD', '/things/1', 'DELETE, PATCH'],
    // Not the thing called "all".
    ['DELETE', '/things/all', 'POST'],
    ['HEAD', '/things/all', 'POST'],
    ['PUT', '/things/all', 'POST'],
    ['POST', '/docs', 'GET, HEAD'],
    ['PUT', '/docs/assets/swagger-ui.css', 'GET, HEAD'],
  ]
  for (const [method, path, allow] of cases) {
    test(`returns 405 for ${method} ${path} and names ${allow}`, async () => {
      const response = await call(path, { method })
      expect(response.status).toBe(405)
      expect(response.headers.get('allow')).toBe(allow)
    })
  }
  test('supports HEAD wherever it supports GET', async () => {
    for (const path of ['/things', '/docs', '/docs/json', '/docs/page/start.js']) {
      const [get, head] = [await call(path), await call(path, { method: 'HEAD' })]
      expect(head.status).toBe(get.status)
      expect(head.headers.get('content-type')).toBe(get.headers.get('content-type'))
    }
  })
})

test('reports an exception only by an id that is in the log', async () => {
  const logged: { fields: object; message: string }[] = []
  const log: Log = {
    ...{ debug() {}, info() {}, warn() {} },
    error: (fields, message) => logged.push({ fields, message }),
  }
  const app = await composeApp(routes, {
    config: { port: 17_493, token: null, users: 'own', origins: [] },
    log,
    version: '0',
  })
  const response = await app.fetch(new Request(`${ORIGIN}/broken`, { headers: { host: 'localhost:17493' } }))
  const body = (await response.json()) as ProblemBody
  expect(response.status).toBe(500)
  expect(body.code).toBe('internal_error')
  expect(JSON.stringify(body)).not.toMatch(/SELECT|secret|ada|\.ts/)
  expect(logged).toHaveLength(1)
  expect(logged[0]!.fields).toMatchObject({
    error_id: body.error_id,
    error: { message: 'SELECT secret FROM /home/ada' },
  })
})

test('every problem has the shape of RFC 9457 and is never cached', async () => {
  for (const code of Object.keys(PROBLEMS) as (keyof typeof PROBLEMS)[]) {
    const response = problemResponse({ code, detail: 'Because.' })
    expect(response.headers.get('content-type')).toBe('application/problem+json')
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(await response.json()).toEqual({
      type: `/problems/${code}`,
      title: PROBLEMS[code].title,
      status: response.status,
      code,
      detail: 'Because.',
    })
    expect(code).toMatch(/^[a-z]+(_[a-z]+)*$/)
  }
})
