// The contract, driven by the document that the running server serves: every operation gets valid input, each
// way to spoil it, and what no operation may take. What the answers mean is tested beside each resource.

import { afterAll, describe, expect, test } from 'bun:test'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { type AppDependencies, createRoutes } from '../../src/app.ts'
import { BUILTIN_STYLES } from '../../src/writing/builtin-styles.ts'
import { formOf } from '../support/speech.ts'
import { until } from '../support/until.ts'
import { testForm, testJsonBody } from './contract/body-tests.ts'
import { type Operation, parametersIn } from './contract/document.ts'
import { textMutants } from './contract/mutations.ts'
import { formWith } from './contract/recordings.ts'
import {
  bodyOf,
  expectFault,
  inputsOf,
  JSON_TYPE,
  leastInput,
  startSubject,
  texts,
} from './contract/subject.ts'

const subject = await startSubject({ DICTATION_MAX_UPLOAD_MB: '1' })
const { server, document, client, operation, kept, keptJob, existing, queries } = subject
const { operations } = document

afterAll(async () => {
  const errors = server.log().filter((entry) => ['error', 'fatal'].includes(String(entry.level)))
  expect(await server.stop()).toBe(0)
  expect(errors).toEqual([])
})

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

/** Refusals that a valid request may meet, by the state that other requests left. */
const BY_STATE = [
  'capture_busy',
  'capture_not_busy',
  'job_finished',
  'writing_style_exists',
  'style_is_default',
]

const port = new URL(server.url).port
const FOREIGN = {
  host: [
    'evil.test',
    `evil.test:${port}`,
    'localhost',
    `localhost.:${port}`,
    `127.0.0.1:${Number(port) ^ 1}`,
  ],
  origin: ['http://evil.test', 'null', `https://localhost:${port}`, 'http://localhost:1', 'file://'],
  'sec-fetch-site': ['cross-site', 'same-site'],
}

const NO_IDS = ['x', '0', 'null', '%00', '%zz', '%2e%2e%2f', '%F0%9F%8E%A4', `'--`, 'a'.repeat(3000)]
const NIL_UUID = '00000000-0000-0000-0000-000000000000'

for (const one of operations) {
  describe(`${one.method} ${one.path}`, () => {
    test('answers valid input as documented', async () => {
      const property = fc.asyncProperty(inputsOf(subject, one), async ({ query, body }) => {
        const path = await existing(one)
        const received = await client.call(one, { path, query: texts(query), ...bodyOf(one, body) })
        if (received.status >= 400) expect(BY_STATE, received.text).toContain(received.json.code)
      })
      await fc.assert(property, { numRuns: runsOf(one) })
    }, 240_000)

    test('refuses each query parameter that is wrong, unknown or given twice', async () => {
      const path = await existing(one)
      const refused = async (query: [string, string][], name: string) => {
        const least = leastInput(one)
        const rest = least.query.filter(([key]) => !query.some(([wrong]) => wrong === key))
        const received = await client.call(one, { path, ...least, query: [...rest, ...query] })
        expectFault(received, 'query', `/${name}`, `${one.id} with ${JSON.stringify(query)}`)
      }
      for (const { name, required, schema } of parametersIn(one, 'query')) {
        for (const text of textMutants(document, schema)) await refused([[name, text]], name)
        const [valid] = fc.sample(queries.arbitraryOf(schema), 1)
        await refused([...texts({ [name]: valid }), ...texts({ [name]: valid })], name)
        if (required) {
          const without = await client.call(one, { path, ...leastInput(one), query: [] })
          expectFault(without, 'query', `/${name}`, `${one.id} without ${name}`)
        }
      }
      await refused([['unknown', '1']], 'unknown')
      await refused([['__proto__', '1']], '__proto__')
    }, 240_000)

    test('refuses other hosts, pages of other origins and other sites', async () => {
      for (const [header, values] of Object.entries(FOREIGN)) {
        for (const value of values) {
          const received = await client.call(one, { headers: { [header]: value } })
          expect(received.status, `${header}: ${value}`).toBe(403)
        }
      }
    })

    if (one.path.includes('{id}')) {
      test('refuses ids that are none, and says so of ids that are nobody’s', async () => {
        const { id: _old, ...rest } = await existing(one)
        for (const id of [...NO_IDS, `${kept.id}0`]) {
          const received = await client.call(one, { path: { ...rest, id }, ...leastInput(one) })
          expectFault(received, 'path', '/id', `${one.id} of ${id}`)
        }
        for (const id of [crypto.randomUUID(), Bun.randomUUIDv7(), NIL_UUID]) {
          const received = await client.call(one, { path: { ...rest, id }, ...leastInput(one) })
          expect([received.status, received.json.detail.includes(id)], received.text).toEqual([404, true])
        }
      }, 240_000)
    }

    if (one.body?.mediaType === 'application/json') testJsonBody(subject, one, one.body)
    if (one.body?.mediaType === 'multipart/form-data') testForm(subject, one, one.body.schema)
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
  }, 240_000)

  test('writing styles that are taken, built in, the default, or a person’s own', async () => {
    const send = async (id: string, style: string | null, body?: object) => {
      const path = style === null ? {} : { id: style }
      const sent = body && { headers: JSON_TYPE, body: JSON.stringify(body) }
      const { status, json } = await client.call(operation(id), { path, ...sent })
      return [status, json.code]
    }
    const [builtIn, other] = BUILTIN_STYLES.map(({ id }) => id) as [string, string]
    const own = await existing(operation('deleteWritingStyle'))
    expect((await send('resetWritingStyle', builtIn))[0]).toBe(200)
    const taken = { name: 'DEFAULT' }
    await send('setDefaultWritingStyle', builtIn)
    expect(await send('createWritingStyle', null, taken)).toEqual([409, 'writing_style_exists'])
    expect(await send('replaceWritingStyle', other, taken)).toEqual([409, 'writing_style_exists'])
    expect(await send('updateWritingStyle', other, taken)).toEqual([409, 'writing_style_exists'])
    expect(await send('updateWritingStyle', builtIn, { enabled: false })).toEqual([409, 'style_is_default'])
    expect(await send('deleteWritingStyle', builtIn)).toEqual([409, 'style_is_built_in'])
    expect(await send('resetWritingStyle', own.id!)).toEqual([409, 'style_is_custom'])
  })

  test('a model that is not here', async () => {
    const call = { path: { id: kept.id }, headers: JSON_TYPE, body: JSON.stringify({ model: 'large-v3' }) }
    expect((await client.call(operation('retranscribeCapture'), call)).json.code).toBe('model_not_installed')
  })
})

test('a queue that is full', async () => {
  const full = await startSubject({ DICTATION_MAX_QUEUE: '1' })
  await using _stopped = full.server
  const call = (id: string, more: object) => full.client.call(full.operation(id), more)
  const pair = await Promise.all([1, 2].map(() => call('transcribe', { body: formWith([]) })))
  expect(pair.map(({ status }) => status).toSorted()).toEqual([200, 429])
  const speech = await formOf('human-1.flac')
  const upload = () => call('createCapture', { query: [['wait', 'false']], body: speech })
  await until(async () => (await upload()).status === 429, { timeoutMs: 30_000 })
  expect((await call('retranscribeCapture', { path: { id: full.kept.id } })).status).toBe(429)
  for (const pair of full.client.seen) client.seen.add(pair)
}, 240_000)

describe('the document', () => {
  const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']
  const paths = [...new Set(operations.map(({ path }) => path))]

  test('describes exactly the routes there are', () => {
    const routes = createRoutes({} as AppDependencies).map(
      ({ contract }) => `${contract.method} ${contract.path}`,
    )
    const described = operations.map(({ method, path }) => `${method} ${path}`)
    expect(described.toSorted()).toEqual(
      [...routes, 'GET /docs', 'GET /docs/json', 'GET /openapi.json'].toSorted(),
    )
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
  {
    pairs: /^(?!createCapture|retranscribe|transcribe)\w+ 503$/,
    why: 'needs a database that does not answer; test/db/outage.test.ts takes one away',
  },
  {
    pairs: /^getCaptureAudio 413$/,
    why: 'needs a recording longer than twelve hours; test/audio/decode.test.ts has one against a lower limit',
  },
  { pairs: / 507$/, why: 'needs a full disk; test/audio/incoming.test.ts fills one' },
]
