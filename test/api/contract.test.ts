// The contract, driven by the OpenAPI document of the running server: every operation gets valid input and every invalid
// variant. What the responses mean is tested with each resource.

import { afterAll, describe, expect, test } from 'bun:test'
import { type AppDependencies, createRoutes } from '../../src/app.ts'
import fc from '../support/fast-check.ts'
import { testFile, testForm, testJsonBody } from './contract/body-tests.ts'
import { filledPath } from './contract/client.ts'
import { ignoresUnknown, type Operation, parametersIn, type Schema } from './contract/document.ts'
import { codeOf, expectFault } from './contract/faults.ts'
import { createGenerator } from './contract/generate.ts'
import { textMutants } from './contract/mutations.ts'
import { NOT_EXERCISED } from './contract/not-exercised.ts'
import { testOutages } from './contract/outage-tests.ts'
import { testBusyServer, testStates } from './contract/state-tests.ts'
import { startSubject } from './contract/subject.ts'
import { inputsOf, isFile, leastInput, meaningfulOf, texts } from './contract/valid-input.ts'

const subject = await startSubject({ DICTATION_MAX_UPLOAD_MB: '1' })
const { server, document, client, operation, kept, existing } = subject
const { operations } = document

afterAll(async () => {
  const errors = server.log().filter((entry) => ['error', 'fatal'].includes(String(entry.level)))
  expect(await subject.stop()).toBe(0)
  expect(errors).toEqual([])
})

/** Operations that take a recording or need one of their own. */
const COSTLY = [
  'createCapture',
  'transcribe',
  'retranscribeCapture',
  'deleteCapture',
  'cancelJob',
  'cancelCapture',
  'createOpenAiTranscription',
  'createOpenAiTranslation',
  'createAzureTranscription',
  'createAzureTranslation',
  'createInference',
  'importModel',
  'deleteModel',
  'putSettings',
  'changeSettings',
]
const runsOf = ({ id }: Operation) => (COSTLY.includes(id) ? 4 : 12)

/** Refusals that a valid request may receive because of the state that other requests left. */
const BY_STATE = [
  // The generated requests do not open WebSockets.
  'upgrade_required',
  // Some generated messages are only valid in a session.
  'mcp_message_refused',
  'capture_busy',
  'capture_not_busy',
  'job_finished',
  'writing_style_exists',
  'style_is_default',
  'command_exists',
  'dictionary_entry_exists',
  'batch_finished',
  'model_in_use',
  'model_exists',
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

/** Path values that are not a valid id, number or name. */
function noNames({ format, type, maxLength = 0 }: Schema): string[] {
  if (format === 'uuid') return [...NO_IDS, `${kept.id}0`]
  return type === 'integer' ? ['x', '-1', '1.5', '01', '9'.repeat(20)] : ['%00', 'a'.repeat(maxLength + 1)]
}

const unknownValues = ({ format, type }: Schema): string[] => {
  if (format === 'uuid') return [crypto.randomUUID(), Bun.randomUUIDv7(), NIL_UUID]
  return [type === 'integer' ? '999' : 'nonexistent']
}

const settings = async () => (await client.call(operation('getSettings'))).json

for (const one of operations) {
  describe(`${one.method} ${one.path}`, () => {
    test('answers valid input as documented', async () => {
      const before = await settings()
      const property = fc.asyncProperty(inputsOf(document, one), async (input) => {
        const received = await client.call(one, { path: await existing(one), ...input })
        if (received.status >= 400) expect(BY_STATE, received.text).toContain(codeOf(received)!)
      })
      try {
        // A different seed for each operation: equal names from two operations would conflict.
        await fc.assert(property, { numRuns: runsOf(one), seed: Bun.hash.crc32(one.id) })
      } finally {
        if (one.path === '/settings/captures') await subject.json('putSettings', before)
      }
    }, 240_000)

    test('refuses each query parameter that is invalid, unknown or repeated', async () => {
      const path = await existing(one)
      const refused = async (query: [string, string][], name: string) => {
        const least = leastInput(one)
        const rest = least.query.filter(([key]) => !query.some(([wrong]) => wrong === key))
        const received = await client.call(one, { path, ...least, query: [...rest, ...query] })
        expectFault(received, 'query', `/${name}`, `${one.id} with ${JSON.stringify(query)}`)
      }
      for (const { name, required, schema } of parametersIn(one, 'query')) {
        for (const text of textMutants(document, schema)) await refused([[name, text]], name)
        const [valid] = fc.sample(
          meaningfulOf(one)[name] ?? createGenerator(document, {}).arbitraryOf(schema),
          1,
        )
        const [text = ''] = texts({ [name]: valid ?? schema.enum?.[0] }).map(([, text]) => text)
        const twice: [string, string][] = [
          [name, text],
          [name, text],
        ]
        // A list parameter may be repeated.
        if (schema.type !== 'array') await refused(twice, name)
        if (required) {
          const without = await client.call(one, { path, ...leastInput(one), query: [] })
          expectFault(without, 'query', `/${name}`, `${one.id} without ${name}`)
        }
      }
      for (const name of ['unknown', '__proto__']) {
        if (!ignoresUnknown(one)) await refused([[name, '1']], name)
        else {
          const received = await client.call(one, { path, ...leastInput(one), query: [[name, '1']] })
          // On a socket route, a call without an upgrade fails before the query matters.
          expect([200, 426], `${one.id} with ${name}`).toContain(received.status)
        }
      }
    }, 240_000)

    test('refuses other hosts, pages of other origins and other sites', async () => {
      for (const [header, values] of Object.entries(FOREIGN)) {
        for (const value of values) {
          const received = await client.call(one, { headers: { [header]: value } })
          expect(received.status, `${header}: ${value}`).toBe(403)
        }
      }
    })

    test('refuses a head that is too long', async () => {
      const received = await client.call(one, { headers: { 'x-long': 'x'.repeat(20_000) } })
      expect(received.status).toBe(431)
    })

    for (const { name, schema } of parametersIn(one, 'path')) {
      test(`refuses each invalid {${name}}, and reports unknown ones`, async () => {
        const rest = await existing(one)
        const call = (value: string) =>
          client.call(one, { path: { ...rest, [name]: value }, ...leastInput(one) })
        for (const value of noNames(schema)) {
          expectFault(await call(value), 'path', `/${name}`, `${one.id} of ${value}`)
        }
        for (const value of unknownValues(schema)) {
          const { status, text } = await call(value)
          // Users choose the names of their deployments.
          if (name === 'deployment') expect(status, value).toBe(200)
          else expect([status, text.includes(value)], text).toEqual([404, true])
        }
      }, 240_000)
    }

    for (const body of one.bodies.filter(({ mediaType }) => !isFile(one, mediaType))) {
      if (body.mediaType === 'application/json') testJsonBody(subject, one, body)
      if (body.mediaType === 'multipart/form-data') testForm(subject, one, document.resolve(body.schema))
    }
    if (one.bodies.some(({ mediaType }) => isFile(one, mediaType))) testFile(subject, one)
  })
}

testStates(subject)
testBusyServer(client.seen)
testOutages(client.seen)

/** Routes that composing the app adds. */
const OF_EVERY_APP = [
  'POST /session',
  'DELETE /session',
  'GET /',
  'GET /docs',
  'GET /docs/json',
  'GET /openapi.json',
]

describe('the document', () => {
  const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']
  const paths = [...new Set(operations.map(({ path }) => path))]

  test('describes exactly the existing routes', () => {
    const routes = createRoutes({} as AppDependencies).map(
      ({ contract }) => `${contract.method} ${contract.path}`,
    )
    const described = operations.map(({ method, path }) => `${method} ${path}`)
    expect(described.toSorted()).toEqual([...routes, ...OF_EVERY_APP].toSorted())
  })

  for (const path of paths) {
    test(`names every method of ${path}; others are refused with 405`, async () => {
      const taken = operations.filter((one) => one.path === path).map(({ method }) => method)
      const allowed = [...taken, ...(taken.includes('GET') ? ['HEAD'] : [])].toSorted()
      for (const method of METHODS.filter((method) => !allowed.includes(method))) {
        const response = await fetch(server.url + filledPath(path, { id: kept.id, n: '0' }), { method })
        expect([method, response.status, response.headers.get('allow')]).toEqual([
          method,
          405,
          allowed.join(', '),
        ])
        const json = method === 'HEAD' ? null : await response.json()
        if (json !== null) expect(codeOf({ json })).toBe('method_not_allowed')
      }
    })
  }

  test('lists no status that was never seen, except these', () => {
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
