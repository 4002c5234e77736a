// The contract, driven by the document that the running server serves: every operation gets valid input, each
// way to spoil it, and what no operation may take. What the answers mean is tested beside each resource.

import { afterAll, describe, expect, test } from 'bun:test'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { type AppDependencies, createRoutes } from '../../src/app.ts'
import { startServer } from '../support/server.ts'
import { until } from '../support/until.ts'
import { createClient, type Received } from './contract/client.ts'
import { type Operation, parametersIn, readDocument, type Schema } from './contract/document.ts'
import { createGenerator, type Meaningful } from './contract/generate.ts'
import { bodyMutants, textMutants } from './contract/mutations.ts'
import { formWith, silentWav } from './contract/recordings.ts'

const server = await startServer({ env: { DICTATION_MAX_UPLOAD_MB: '1' } })
const document = await readDocument(server.url)
const { operations } = document
const client = createClient(server.url, document)

const operation = (id: string): Operation => operations.find((one) => one.id === id)!
const keep = async (wait = 'true') =>
  (await client.call(operation('createCapture'), { query: [['wait', wait]], body: formWith([]) })).json
const jobOf = async (captureId: string): Promise<string> => {
  const jobs = await client.call(operation('listJobs'), { query: [['capture_id', captureId]] })
  return jobs.json.items[0].id
}

const kept = await keep()
const keptJob = await jobOf(kept.id)

afterAll(async () => {
  const errors = server.log().filter((entry) => Number(entry.level) >= 50)
  expect(await server.stop()).toBe(0)
  expect(errors).toEqual([])
})

/** What a schema cannot say: which of the texts of the right form mean something to this server. */
const MEANINGFUL: Meaningful = {
  model: fc.constantFrom('tiny.en', 'whisper-tiny.en', 'tiny.en-q5_1'),
  stt_model: fc.constantFrom('tiny.en', 'whisper-tiny.en', 'tiny.en-q5_1'),
  language: fc.constantFrom('auto', 'en'),
  task: fc.constant('transcribe'),
  refine: fc.constant(false),
}
const generator = createGenerator(document, MEANINGFUL)
const queries = createGenerator(document, {})

/** Each of these takes a recording in, or needs one of its own. */
const COSTLY = [
  'createCapture',
  'transcribe',
  'retranscribeCapture',
  'deleteCapture',
  'cancelJob',
  'cancelCapture',
]
const runsOf = ({ id }: Operation) => (COSTLY.includes(id) ? 8 : 30)

/** The id of something that is there, new where the operation ends it. */
async function existing({ id, path }: Operation): Promise<Record<string, string>> {
  if (!path.includes('{id}')) return {}
  if (id === 'deleteCapture') return { id: (await keep('false')).id }
  if (id === 'cancelJob') return { id: await jobOf((await keep('false')).id) }
  return { id: path.startsWith('/jobs/') ? keptJob : kept.id }
}

const JSON_TYPE = { 'content-type': 'application/json' }
const texts = (values: object): [string, string][] =>
  Object.entries(values).map(([name, value]) => [name, String(value)])

function bodyOf({ body }: Operation, values: object): { headers?: Record<string, string>; body?: BodyInit } {
  if (body === null) return {}
  if (body.mediaType === 'application/json') return { headers: JSON_TYPE, body: JSON.stringify(values) }
  return { body: formWith(texts(values)) }
}

/** Valid query and body values; the file of a form comes from elsewhere. */
function inputsOf(one: Operation): fc.Arbitrary<{ query: object; body: object }> {
  const parameters = parametersIn(one, 'query')
  const query = queries.recordOf(
    Object.fromEntries(parameters.map(({ name, schema }) => [name, schema])),
    parameters.filter(({ required }) => required).map(({ name }) => name),
  )
  return fc.record({ query, body: bodyValues(one) })
}

function bodyValues({ body }: Operation): fc.Arbitrary<object> {
  if (body === null) return fc.constant({})
  const { properties = {}, required = [], minProperties = 0 } = document.resolve(body.schema)
  // There are no writing styles to choose from; a file is added to the form where it is sent.
  const { file: _file, writing_style_id: _style, ...rest } = properties
  return generator
    .recordOf(
      rest,
      required.filter((name) => name !== 'file'),
    )
    .filter((values) => Object.keys(values).length >= minProperties && !isTextStream(values))
}

/** What only the description of `stream` says: events carry JSON. */
const isTextStream = (values: Record<string, unknown>): boolean =>
  values.stream === true && ['text', 'srt', 'vtt'].includes(String(values.response_format))

/** Values that would not be refused, to put one wrong value beside. */
const VALID_BODIES: Record<string, object> = { updateCapture: { starred: true }, retranscribeCapture: {} }
const validQuery = (one: Operation): [string, string][] =>
  parametersIn(one, 'query')
    .filter(({ required }) => required)
    .map(({ name, schema }) => [name, String(schema.enum?.[0])])
const validBody = (one: Operation) => bodyOf(one, VALID_BODIES[one.id] ?? {})

/** Refused as 422, and `errors` names the place. */
function expectFault(received: Received, place: string, path: string, what: string): void {
  expect([received.status, received.json?.code], what).toEqual([422, 'invalid_request'])
  const places = received.json.errors.map((fault: Record<string, string>) => `${fault.in} ${fault.path}`)
  expect(places, what).toContain(`${place} ${path}`)
}

/** Refusals that a valid request may meet, by the state that other requests left. */
const BY_STATE = ['capture_busy', 'capture_not_busy', 'job_finished']

for (const one of operations) {
  describe(`${one.method} ${one.path}`, () => {
    test('answers valid input as documented', async () => {
      const property = fc.asyncProperty(inputsOf(one), async ({ query, body }) => {
        const path = await existing(one)
        const received = await client.call(one, { path, query: texts(query), ...bodyOf(one, body) })
        if (received.status >= 400) expect(BY_STATE, received.text).toContain(received.json.code)
      })
      await fc.assert(property, { numRuns: runsOf(one) })
    }, 60_000)

    test('refuses each query parameter that is wrong, unknown or given twice', async () => {
      const path = await existing(one)
      const refused = async (query: [string, string][], name: string) => {
        const rest = validQuery(one).filter(([key]) => !query.some(([wrong]) => wrong === key))
        const received = await client.call(one, { path, query: [...rest, ...query], ...validBody(one) })
        expectFault(received, 'query', `/${name}`, `${one.id} with ${JSON.stringify(query)}`)
      }
      for (const { name, required, schema } of parametersIn(one, 'query')) {
        for (const text of textMutants(document, schema)) await refused([[name, text]], name)
        const [valid] = fc.sample(queries.arbitraryOf(schema), 1)
        await refused([...texts({ [name]: valid }), ...texts({ [name]: valid })], name)
        if (required) {
          const without = await client.call(one, { path, ...validBody(one) })
          expectFault(without, 'query', `/${name}`, `${one.id} without ${name}`)
        }
      }
      await refused([['unknown', '1']], 'unknown')
      await refused([['__proto__', '1']], '__proto__')
    }, 60_000)

    test('refuses other hosts, pages of other origins and other sites', async () => {
      const port = new URL(server.url).port
      const foreign: [header: string, values: string[]][] = [
        [
          'host',
          [
            'evil.test',
            `evil.test:${port}`,
            'localhost',
            `localhost.:${port}`,
            `127.0.0.1:${Number(port) ^ 1}`,
          ],
        ],
        [
          'origin',
          ['http://evil.test', 'null', `https://localhost:${port}`, 'http://localhost:1', 'file://'],
        ],
        ['sec-fetch-site', ['cross-site', 'same-site']],
      ]
      for (const [header, values] of foreign) {
        for (const value of values) {
          const received = await client.call(one, { headers: { [header]: value } })
          expect(received.status, `${header}: ${value}`).toBe(403)
        }
      }
    })

    if (one.path.includes('{id}')) {
      test('refuses ids that are none, and says so of ids that are nobody’s', async () => {
        const { id: _old, ...rest } = await existing(one)
        const wrong = [
          'x',
          '0',
          'null',
          '%00',
          '%zz',
          '%2e%2e%2f',
          '%F0%9F%8E%A4',
          `${kept.id}0`,
          `'--`,
          'a'.repeat(3000),
        ]
        for (const id of wrong) {
          const received = await client.call(one, {
            path: { ...rest, id },
            query: validQuery(one),
            ...validBody(one),
          })
          expectFault(received, 'path', '/id', `${one.id} of ${id}`)
        }
        for (const id of [crypto.randomUUID(), Bun.randomUUIDv7(), '00000000-0000-0000-0000-000000000000']) {
          const received = await client.call(one, {
            path: { ...rest, id },
            query: validQuery(one),
            ...validBody(one),
          })
          expect([received.status, received.json.detail.includes(id)], received.text).toEqual([404, true])
        }
      }, 60_000)
    }

    if (one.body?.mediaType === 'application/json') jsonBodyTests(one, one.body)
    if (one.body?.mediaType === 'multipart/form-data') formTests(one, one.body.schema)
  })
}

function jsonBodyTests(one: Operation, { schema, required }: NonNullable<Operation['body']>): void {
  const send = async (body: BodyInit, headers: Record<string, string> = JSON_TYPE) =>
    client.call(one, { path: await existing(one), query: validQuery(one), headers, body })

  test('refuses each way to spoil the body, and names the place', async () => {
    for (const { what, path, value } of bodyMutants(document, schema, VALID_BODIES[one.id] ?? {})) {
      expectFault(await send(JSON.stringify(value)), 'body', path, what)
    }
  }, 60_000)

  test('takes texts of the greatest length', async () => {
    for (const { name, maxLength } of textLimits(schema)) {
      const received = await send(JSON.stringify({ ...VALID_BODIES[one.id], [name]: 'x'.repeat(maxLength) }))
      expect(name in MEANINGFUL ? received.json.code : received.status).toBe(
        name in MEANINGFUL ? 'unknown_model' : 200,
      )
    }
  }, 60_000)

  test('refuses bodies that are no JSON', async () => {
    const broken = ['{', '{"a":1,}', "{'a':1}", '{}{}', 'undefined', '[1', '{"a":NaN}', '\u0000', '\xa0']
    for (const text of required ? ['', ...broken] : broken) {
      const received = await send(text)
      expect([received.status, received.json.code], text).toEqual([400, 'malformed_json'])
    }
    expect((await send(new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]))).status).toBe(400)
  })

  test('refuses other media types, and packed bodies', async () => {
    const types = [
      'text/plain',
      'application/x-www-form-urlencoded',
      'application/jsonx',
      'multipart/form-data',
      'x',
    ]
    for (const type of types) await expectMediaTypeRefused(() => send('{}', { 'content-type': type }), one)
    await expectMediaTypeRefused(() => send('{}', { ...JSON_TYPE, 'content-encoding': 'gzip' }), one)
  })

  test('refuses bodies over the limit, declared and counted', async () => {
    const large = `{"x":"${'x'.repeat(1024 * 1024)}"}`
    expect((await send(large)).json.code).toBe('body_too_large')
    expect((await send(new Blob([large]).stream())).json.code).toBe('body_too_large')
  })
}

const textLimits = (schema: Schema): { name: string; maxLength: number }[] =>
  Object.entries(document.resolve(schema).properties ?? {}).flatMap(([name, property]) =>
    [property, ...(property.anyOf ?? [])].flatMap(({ maxLength }) =>
      maxLength ? [{ name, maxLength }] : [],
    ),
  )

async function expectMediaTypeRefused(send: () => Promise<Received>, { id, body }: Operation): Promise<void> {
  const { status, json } = await send()
  expect([status, json.code, json.accepted], id).toEqual([415, 'unsupported_media_type', [body!.mediaType]])
}

function formTests(one: Operation, { properties = {} }: Schema): void {
  const send = (body: BodyInit, headers?: Record<string, string>) => client.call(one, { body, headers })
  const { file: _file, ...fields } = properties

  test('refuses each field that is wrong, unknown or given twice', async () => {
    for (const [name, schema] of Object.entries(fields)) {
      // A blank field of a web form was not given.
      for (const text of textMutants(document, schema).filter((text) => text !== '')) {
        expectFault(await send(formWith([[name, text]])), 'form', `/${name}`, `${name}: ${text.slice(0, 40)}`)
      }
      const [valid] = fc.sample(MEANINGFUL[name] ?? generator.arbitraryOf(schema), 1)
      const twice: [string, string][] = [
        [name, `${valid}`],
        [name, `${valid}`],
      ]
      if (`${valid}` !== '') expectFault(await send(formWith(twice)), 'form', `/${name}`, `${name} twice`)
    }
    for (const name of ['unknown', '__proto__', 'constructor']) {
      expectFault(await send(formWith([[name, '1']])), 'form', `/${name}`, name)
    }
  }, 60_000)

  test('refuses forms without a file, with two, or with text in its place', async () => {
    const two = formWith([])
    two.append('file', silentWav())
    for (const form of [formWith([], null), formWith([['file', 'text']], null), two]) {
      expectFault(await send(form), 'form', '/file', 'file')
    }
  })

  test('refuses files that are empty, too large or no recordings', async () => {
    const cases: [content: BlobPart, status: number, code: string][] = [
      ['', 400, 'empty_file'],
      ['words, not sound', 415, 'unsupported_audio'],
      [Buffer.concat([await silentWav().bytes(), Buffer.alloc(1024 * 1024)]), 413, 'file_too_large'],
    ]
    for (const [content, status, code] of cases) {
      const received = await send(formWith([], new File([content], 'a.wav')))
      expect([received.status, received.json.code]).toEqual([status, code])
    }
  })

  test('refuses other media types, and forms that cannot be read', async () => {
    const types = ['application/json', 'text/plain', 'application/x-www-form-urlencoded', 'audio/wavx', 'x']
    for (const type of types) await expectMediaTypeRefused(() => send('{}', { 'content-type': type }), one)
    const noForms: [type: string, body: string][] = [
      ['multipart/form-data', 'xx'],
      ['multipart/form-data; boundary=', 'xx'],
      ['multipart/form-data; boundary=b', '--b\r\nnothing: at all\r\n\r\nxx\r\n--b--'],
    ]
    for (const [type, body] of noForms) {
      expect((await send(body, { 'content-type': type })).json.code).toBe('malformed_multipart')
    }
    expect((await send('xx', { 'content-type': 'multipart/form-data; boundary=b' })).json.code).toBe(
      'body_interrupted',
    )
  })

  test('refuses a model that is unknown, and one that is not here', async () => {
    const field = 'model' in fields ? 'model' : 'stt_model'
    expect((await send(formWith([[field, 'nobody']]))).json.code).toBe('unknown_model')
    expect((await send(formWith([[field, 'large-v3']]))).json.code).toBe('model_not_installed')
    expect((await send(formWith([['language', 'de']]))).json.code).toBe('unsupported_language')
  })
}

describe('statuses that need a certain state', () => {
  const audio = (headers: Record<string, string>) =>
    client.call(operation('getCaptureAudio'), { path: { id: kept.id }, headers })

  test('parts of the audio, an unchanged copy and a range outside of it', async () => {
    const whole = await audio({})
    expect((await audio({ range: 'bytes=0-9' })).status).toBe(206)
    expect((await audio({ 'if-none-match': whole.headers.get('etag')! })).status).toBe(304)
    expect((await audio({ range: 'bytes=99999999-' })).json.code).toBe('range_not_satisfiable')
  })

  test('every kind of answer of POST /transcribe, the events included', async () => {
    const transcribe = (fields: [string, string][]) =>
      client.call(operation('transcribe'), { body: formWith(fields) })
    for (const format of ['text', 'srt', 'vtt']) {
      expect((await transcribe([['response_format', format]])).status).toBe(200)
    }
    const stream = await transcribe([['stream', 'true']])
    expect(stream.headers.get('content-type')).toStartWith('text/event-stream')
    const done = JSON.parse(/event: done\ndata: (.*)\n/.exec(stream.text)![1]!)
    const { schema } = operation('transcribe').answers['200']!.content!['application/json']!
    expect([document.validator(schema!)(done), done.text]).toEqual([true, ''])
    const mixed = await transcribe([
      ['stream', 'true'],
      ['response_format', 'srt'],
    ])
    expectFault(mixed, 'form', '/response_format', 'a stream of subtitles')
  }, 30_000)

  test('work on a capture that is busy, idle, or has lost its audio', async () => {
    const path = { id: kept.id }
    const again = (wait: string) =>
      client.call(operation('retranscribeCapture'), { path, query: [['wait', wait]] })
    await until(async () => (await again('true')).status === 200, { timeoutMs: 30_000 })
    const twice = await Promise.all([again('false'), again('false'), again('false')])
    expect(twice.map(({ status }) => status)).toEqual(expect.arrayContaining([202, 409]))
    await until(async () => (await client.call(operation('cancelCapture'), { path })).status === 409, {
      timeoutMs: 30_000,
    })
    const finished = await client.call(operation('cancelJob'), { path: { id: keptJob } })
    expect(finished.json.code).toBe('job_finished')
    await rm(join(server.dataFolder, kept.audio_path))
    expect((await again('true')).json.code).toBe('audio_gone')
    expect((await audio({})).json.code).toBe('audio_gone')
  }, 60_000)

  test('a model that is not here', async () => {
    const call = { path: { id: kept.id }, headers: JSON_TYPE, body: JSON.stringify({ model: 'large-v3' }) }
    expect((await client.call(operation('retranscribeCapture'), call)).json.code).toBe('model_not_installed')
  })
})

describe('the document', () => {
  const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']
  const paths = [...new Set(operations.map(({ path }) => path))]

  test('describes exactly the routes there are', () => {
    const routes = createRoutes({} as AppDependencies).map(
      ({ contract }) => `${contract.method} ${contract.path}`,
    )
    const described = operations.map(({ method, path }) => `${method} ${path}`)
    expect(described.toSorted()).toEqual([...routes, 'GET /docs', 'GET /docs/json'].toSorted())
  })

  for (const path of paths) {
    test(`names every method that ${path} takes; others are refused with 405`, async () => {
      const taken = operations.filter((one) => one.path === path).map(({ method }) => method)
      const allowed = [...taken, ...(taken.includes('GET') ? ['HEAD'] : [])].toSorted()
      for (const method of METHODS.filter((method) => !allowed.includes(method))) {
        const response = await fetch(server.url + path.replace('{id}', kept.id), { method })
        expect([method, response.status, response.headers.get('allow')]).toEqual([
          method,
          405,
          allowed.join(', '),
        ])
        if (method !== 'HEAD') expect(await response.json()).toMatchObject({ code: 'method_not_allowed' })
      }
    })
  }

  test('lists no status that was never seen, but for these', () => {
    const documented = operations.flatMap(({ id, answers }) =>
      Object.keys(answers).map((status) => `${id} ${status}`),
    )
    const unseen = documented.filter((pair) => !client.seen.has(pair))
    const unexplained = unseen.filter((pair) => !NOT_EXERCISED.some(({ pairs }) => pairs.test(pair)))
    for (const { pairs, why } of NOT_EXERCISED) {
      const count = unseen.filter((pair) => pairs.test(pair)).length
      console.log(`not exercised: ${pairs.source} (${count}): ${why}`)
      expect(count, `${pairs.source} is exercised by now`).toBeGreaterThan(0)
    }
    expect(unexplained).toEqual([])
  })
})

/** What the document lists and this file does not reach. */
const NOT_EXERCISED: { pairs: RegExp; why: string }[] = [
  {
    pairs: / 500$/,
    why: 'would be a fault of the server; test/http/problems.test.ts has a route that throws',
  },
  { pairs: / 507$/, why: 'needs a full disk' },
  { pairs: / 429$/, why: 'needs a queue that is full' },
]
