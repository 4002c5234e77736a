// Input validation: conversion by the schema, and all errors at once.

import { describe, expect, test } from 'bun:test'
import { Type } from '@sinclair/typebox'
import { createChecker, createTextChecker } from '../../../src/http/kernel/input.ts'
import { defineRoute } from '../../../src/http/kernel/route.ts'
import { dateTime, flag, strictObject, text, wholeNumber } from '../../../src/http/kernel/schema.ts'
import { nullable, oneOf, uuid } from '../../../src/lib/schema.ts'
import { declared, webOf } from '../../support/web.ts'

const ID = '019ab1c2-7c3e-7d41-9a4e-3f6f0d1f9c11'

const read = defineRoute(
  {
    ...declared,
    method: 'GET',
    path: '/things/{id}',
    operationId: 'read',
    params: strictObject({ id: uuid() }),
    query: strictObject({
      limit: Type.Optional(wholeNumber({ minimum: 1, maximum: 200, default: 50 })),
      share: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
      starred: Type.Optional(flag({})),
      wait: Type.Optional(Type.Union([Type.Boolean(), wholeNumber({ minimum: 0, maximum: 600 })])),
      sort: Type.Optional(oneOf(['newest', 'oldest'])),
      since: Type.Optional(dateTime()),
      tags: Type.Optional(Type.Array(text({ maxLength: 3 }), { maxItems: 2 })),
      q: Type.Optional(text({ minLength: 1, maxLength: 5 })),
    }),
  },
  (_request, { params, query }) => Response.json({ ...params, ...query }),
)
const write = defineRoute(
  {
    ...declared,
    method: 'POST',
    path: '/things',
    operationId: 'write',
    body: {
      kind: 'json',
      schema: strictObject({
        name: text({ minLength: 1, maxLength: 5 }),
        count: Type.Optional(wholeNumber({ minimum: 1 })),
        note: Type.Optional(nullable(text({ maxLength: 9 }))),
        inner: Type.Optional(strictObject({ 'a/b': Type.Boolean() })),
        maybe: Type.Optional(nullable(strictObject({ list: nullable(Type.Array(text({ maxLength: 2 }))) }))),
      }),
      example: { name: 'a' },
    },
  },
  (_request, { body }) => Response.json(body),
)
const optional = defineRoute(
  {
    ...declared,
    method: 'POST',
    path: '/optional',
    operationId: 'optional',
    body: { kind: 'json', schema: strictObject({}), example: {}, optional: true },
  },
  (_request, { body }) => Response.json({ body: body ?? null }),
)
test('splits a list at commas if it is given once, by its bare name', () => {
  const list = Type.Optional(Type.Array(text({})))
  const check = createTextChecker(strictObject({ 'terms[]': list, tags: list }), 'form')
  const parted: [given: [string, string][], items: string[]][] = [
    [[['terms', 'a, b']], ['a', 'b']],
    [[['terms[]', 'Smith, John']], ['Smith, John']],
    [[['terms[0]', 'Smith, John']], ['Smith, John']],
    [
      [
        ['terms', 'Smith, John'],
        ['terms', 'b'],
      ],
      ['Smith, John', 'b'],
    ],
    [[['terms[]', '["a", "b"]']], ['a', 'b']],
  ]
  for (const [given, items] of parted) {
    expect(check(given)).toEqual({ ok: true, value: { 'terms[]': items } })
    const asTags = given.map(([name, value]): [string, string] => [name.replace('terms', 'tags'), value])
    expect(check(asTags)).toEqual({ ok: true, value: { tags: items } })
  }
})

const { call } = await webOf([read, write, optional])

type Faults = { code: string; detail: string; errors: { in: string; path: string; message: string }[] }

async function faultsOf(response: Response) {
  expect(response.headers.get('content-type')).toBe('application/problem+json')
  const { code, errors } = (await response.json()) as Faults
  expect(response.status).toBe(422)
  expect(code).toBe('invalid_request')
  return errors.map((fault) => `${fault.in} ${fault.path} ${fault.message}`)
}
const post = (body: BodyInit, type = 'application/json', path = '/things') =>
  call(path, { method: 'POST', body, headers: { 'content-type': type } })

describe('query and path', () => {
  test('are converted by the schema, with defaults', async () => {
    const response = await call(`/things/${ID}?share=0.5&starred=false&wait=30&sort=oldest&tags=a&tags=b`)
    expect(await response.json()).toEqual({
      id: ID,
      limit: 50,
      share: 0.5,
      starred: false,
      wait: 30,
      sort: 'oldest',
      tags: ['a', 'b'],
    })
    expect(await (await call(`/things/${ID}?wait=true`)).json()).toMatchObject({ wait: true })
  })

  test('do not split at commas', async () => {
    expect(await (await call(`/things/${ID}?q=a,b`)).json()).toMatchObject({ q: 'a,b' })
  })

  test('accept booleans as clients write them, and 1 and 0 as numbers if the schema allows a number', async () => {
    for (const yes of ['true', 'True', '1', 'yes', 'on', 'ON'])
      expect(await (await call(`/things/${ID}?starred=${yes}`)).json()).toMatchObject({ starred: true })
    for (const no of ['false', 'False', '0', 'no', 'off'])
      expect(await (await call(`/things/${ID}?starred=${no}`)).json()).toMatchObject({ starred: false })
    expect(await (await call(`/things/${ID}?wait=1`)).json()).toMatchObject({ wait: 1 })
    expect(await (await call(`/things/${ID}?wait=False`)).json()).toMatchObject({ wait: false })
  })

  const refused: [query: string, fault: string][] = [
    ['limit=1.5', 'query /limit must be a whole number from 1 to 200'],
    ['limit=1e1', 'query /limit must be a whole number from 1 to 200'],
    ['limit=0x10', 'query /limit must be a whole number from 1 to 200'],
    ['limit=+1', 'query /limit must be a whole number from 1 to 200'],
    ['limit=%201', 'query /limit must be a whole number from 1 to 200'],
    ['limit=01', 'query /limit must be a whole number from 1 to 200'],
    ['limit=', 'query /limit must be a whole number from 1 to 200'],
    ['limit=99999999999999999999', 'query /limit must be a whole number from 1 to 200'],
    ['limit=0', 'query /limit must be at least 1'],
    ['limit=201', 'query /limit must be at most 200'],
    ['share=NaN', 'query /share must be a number from 0 to 1'],
    ['share=Infinity', 'query /share must be a number from 0 to 1'],
    ['share=2', 'query /share must be at most 1'],
    ['starred=2', 'query /starred must be true or false'],
    ['wait=maybe', 'query /wait must be true or false or a whole number from 0 to 600'],
    ['sort=newst', 'query /sort must be one of newest, oldest; did you mean "newest"?'],
    ['search=a', 'query /search is not known here; did you mean "q"?'],
    ['from=2026', 'query /from is not known here; did you mean "since"?'],
    ['starred=', 'query /starred must be true or false'],
    ['wait=601', 'query /wait must be true or false or a whole number from 0 to 600'],
    ['sort=upside', 'query /sort must be one of newest, oldest'],
    ['since=yesterday', 'query /since must be a date and time such as 2026-01-31T12:00:00Z'],
    ['q=', 'query /q must not be empty'],
    ['q=abcdef', 'query /q must have at most 5 characters'],
    ['q=%00', 'query /q must not contain a NUL character'],
    ['q=a&q=b', 'query /q must be given only once'],
    ['tags=a&tags=b&tags=c', 'query /tags must have at most 2 items'],
    ['tags=abcd', 'query /tags/0 must have at most 3 characters'],
    ['Limit=1', 'query /Limit is not known here; did you mean "limit"?'],
    ['__proto__=1', 'query /__proto__ is not known here'],
    ['constructor=1', 'query /constructor is not known here'],
    ['a%2Fb=1', 'query /a~1b is not known here'],
  ]
  for (const [query, fault] of refused) {
    test(`rejects ?${query}`, async () => {
      expect(await faultsOf(await call(`/things/${ID}?${query}`))).toEqual([fault])
    })
  }

  for (const id of ['1', '..%2f..%2fetc', '%zz', `${ID}x`, 'null', '%ff']) {
    test(`rejects the id ${id}`, async () => {
      expect(await faultsOf(await call(`/things/${id}`))).toEqual(['path /id must be a UUID'])
    })
  }

  test('rejects unknown parameters if none are declared', async () => {
    expect(await faultsOf(await call('/docs?x=1'))).toEqual(['query /x is not known here'])
  })

  test('reports all errors at once', async () => {
    const faults = await faultsOf(await call('/things/1?limit=0&starred=2&x=1'))
    expect(faults.toSorted()).toEqual([
      'path /id must be a UUID',
      'query /limit must be at least 1',
      'query /starred must be true or false',
      'query /x is not known here',
    ])
  })
})

describe('JSON', () => {
  test('is passed unchanged', async () => {
    const body = { name: 'naïve', note: null, inner: { 'a/b': true } }
    expect(await (await post(JSON.stringify(body), 'application/json; charset=utf-8')).json()).toEqual(body)
  })

  const refused: [body: string, faults: string[]][] = [
    ['{}', ['body /name is required']],
    ['[]', ['body  must be an object']],
    ['null', ['body  must be an object']],
    ['"a"', ['body  must be an object']],
    ['{"name":5}', ['body /name must be text']],
    ['{"name":"a","count":1.5}', ['body /count must be a whole number']],
    ['{"name":"a","count":"1"}', ['body /count must be a whole number']],
    ['{"name":"a","note":5}', ['body /note must be text or null']],
    ['{"name":"a","note":"0123456789"}', ['body /note must have at most 9 characters']],
    ['{"name":"a","inner":{"a/b":1}}', ['body /inner/a~1b must be true or false']],
    ['{"name":"a","maybe":5}', ['body /maybe must be an object or null']],
    ['{"name":"a","maybe":{"x":1}}', ['body /maybe/x is not known here', 'body /maybe/list is required']],
    [
      '{"name":"a","maybe":{"list":["a",1,"abc"]}}',
      ['body /maybe/list/1 must be text', 'body /maybe/list/2 must have at most 2 characters'],
    ],
    ['{"name":"a","__proto__":{"x":1}}', ['body /__proto__ is not known here']],
    ['{"name":"\\ud800"}', ['body /name must be valid Unicode']],
    ['{"name":"a\\u0000"}', ['body /name must not contain a NUL character']],
    [
      '{"name":"","count":0,"x":1}',
      ['body /x is not known here', 'body /name must not be empty', 'body /count must be at least 1'],
    ],
  ]
  for (const [body, faults] of refused) {
    test(`rejects ${body}`, async () => {
      expect((await faultsOf(await post(body))).toSorted()).toEqual(faults.toSorted())
      expect(({} as Record<string, unknown>).x).toBeUndefined()
    })
  }

  test('rejects an object with thousands of keys, and a key of thousands of characters, without repeating them', () => {
    const check = createChecker(Type.Object({ a: Type.Optional(Type.Number()) }), 'body')
    const many = Object.fromEntries(Array.from({ length: 1001 }, (_, index) => [`k${index}`, 1]))
    expect(check(many)).toEqual({
      ok: false,
      failure: [{ in: 'body', path: '', message: 'has more than 1000 keys' }],
    })
    expect(check({ ['k'.repeat(1001)]: 1 })).toEqual({
      ok: false,
      failure: [{ in: 'body', path: '', message: 'has a key of more than 1000 characters' }],
    })
  })

  test('rejects deep nesting without a stack overflow', async () => {
    const depth = 20_000
    expect((await post(`${'['.repeat(depth)}${']'.repeat(depth)}`)).status).toBe(422)
    expect((await post('['.repeat(500_000))).status).toBe(400)
  })

  for (const body of ['', '{', '{"name":"a"}x', "{'name':'a'}", '\ufeff', 'NaN']) {
    test(`rejects ${JSON.stringify(body)} as malformed JSON`, async () => {
      const response = await post(body)
      expect(response.status).toBe(400)
      expect(((await response.json()) as Faults).code).toBe('malformed_json')
    })
  }

  test('rejects JSON that is not UTF-8', async () => {
    const response = await post(Buffer.from('{"name":"\xff"}', 'latin1'))
    expect(((await response.json()) as Faults).code).toBe('malformed_json')
  })

  const types = [
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data',
    'application/jsonp',
    '',
  ]
  for (const type of types) {
    test(`rejects a body of type ${JSON.stringify(type)}`, async () => {
      const response = await post('{"name":"a"}', type)
      expect(response.status).toBe(415)
      expect(await response.json()).toMatchObject({
        code: 'unsupported_media_type',
        accepted: ['application/json'],
      })
    })
  }

  test('rejects a compressed body', async () => {
    const response = await call('/things', {
      method: 'POST',
      body: Bun.gzipSync('{"name":"a"}'),
      headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
    })
    expect(response.status).toBe(415)
  })

  test('returns 413 for more than 1 MiB, declared or counted', async () => {
    const large = JSON.stringify({ name: 'x'.repeat(1024 * 1024) })
    const declaredSize = await call('/things', {
      method: 'POST',
      body: large,
      headers: { 'content-type': 'application/json', 'content-length': String(large.length) },
    })
    const chunk = Buffer.alloc(64 * 1024, 32)
    const endless = new ReadableStream({ pull: (controller) => controller.enqueue(chunk) })
    for (const response of [declaredSize, await post(endless)]) {
      expect(response.status).toBe(413)
      expect(response.headers.get('connection')).toBe('close')
      expect(((await response.json()) as Faults).code).toBe('body_too_large')
    }
  })

  test('may be omitted if it is optional', async () => {
    expect(await (await call('/optional', { method: 'POST' })).json()).toEqual({ body: null })
    expect(await (await post('{}', 'application/json', '/optional')).json()).toEqual({ body: {} })
    expect((await post('{"x":1}', 'application/json', '/optional')).status).toBe(422)
  })
})
