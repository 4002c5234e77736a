// The OpenAPI document: valid by two linters, complete, and the same as the committed one.

import { describe, expect, test } from 'bun:test'
import { resolve } from 'node:path'
import SwaggerParser from '@apidevtools/swagger-parser'
import { Type } from '@sinclair/typebox'
import { OPENAPI_FILE, openApiText } from '../../../scripts/openapi.ts'
import { describeApi } from '../../../src/http/docs/document.ts'
import type { Contract } from '../../../src/http/kernel/route.ts'
import { strictObject, text } from '../../../src/http/kernel/schema.ts'
import { testAtLength } from '../../support/at-length.ts'
import { declared, ORIGIN, webOf } from '../../support/web.ts'

type Operation = { responses: Record<string, { $ref?: string }>; security?: unknown[] }

const written = await Bun.file(OPENAPI_FILE).text()
const document = JSON.parse(written) as {
  openapi: string
  servers: unknown
  paths: Record<string, Record<string, Operation>>
}
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ name: `${method} ${path}`, operation })),
)

test('openapi.json is up to date (npm run openapi writes it)', async () => {
  expect(await openApiText()).toBe(written)
})

test('the document is valid for swagger-parser', async () => {
  await SwaggerParser.validate(JSON.parse(written))
  expect(document.openapi).toStartWith('3.1.')
})

testAtLength(
  'the document passes redocly lint with its strict rules',
  async () => {
    const root = resolve(import.meta.dir, '../../..')
    const cli = resolve(root, 'node_modules/@redocly/cli/bin/cli.js')
    const lint = Bun.spawn([process.execPath, cli, 'lint', 'openapi.json', '--format', 'json'], {
      cwd: root,
      env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
      stdout: 'pipe',
      stderr: 'pipe',
    })
    const output = await new Response(lint.stdout).text()
    expect(await lint.exited, output).toBe(0)
    const report = JSON.parse(output.slice(output.indexOf('{'))) as { totals: object; problems: unknown[] }
    expect(report.problems).toEqual([])
  },
  180_000,
)

test('every operation declares a success response', () => {
  // 101 is a WebSocket.
  const isSuccess = (status: string) => status.startsWith('2') || status === '101'
  const without = operations.filter(({ operation }) => !Object.keys(operation.responses).some(isSuccess))
  expect(without).toEqual([])
})

test('no response schema allows unknown properties, except the document itself, which contains schemas', () => {
  const open: string[] = []
  const visit = (value: unknown, place: string): void => {
    if (value === null || typeof value !== 'object') return
    const schema = value as Record<string, unknown>
    if (schema.type === 'object' && schema.additionalProperties !== false) open.push(place)
    for (const [name, part] of Object.entries(schema)) visit(part, `${place}/${name}`)
  }
  const { schemas } = (document as unknown as { components: { schemas: Record<string, unknown> } }).components
  visit(schemas, '')
  for (const { name, operation } of operations) visit(operation.responses, name)
  const strangers = open.filter((place) => !place.startsWith('/OpenApiDocument/'))
  // JSON-RPC is described by its own specification; the settings ignore extra properties that Voicebox's client sends.
  const jsonRpc = ['params', 'result', 'error'].map((name) => `/McpMessage/properties/${name}`)
  expect(strangers.toSorted()).toEqual(['/CaptureSettingsChange', ...jsonRpc].toSorted())
})

test('uses a relative server URL, so that the page works under every name of the server', () => {
  expect(document.servers).toEqual([{ url: '/' }])
})

test('declares a token only if the server requires one', async () => {
  const open: Contract = { ...declared, method: 'GET', path: '/health', operationId: 'a', open: true }
  const closed: Contract = { ...declared, method: 'GET', path: '/thing', operationId: 'b' }
  const [without, withToken] = await Promise.all(
    [false, true].map((token) => describeApi([open, closed], { version: '1', token })),
  )
  expect(JSON.stringify(without)).not.toContain('bearer')
  expect(withToken!.security).toEqual([{ bearer: [] }])
  expect(withToken!.paths['/health']!.get!.security).toEqual([])
  expect(Object.keys(withToken!.paths['/thing']!.get!.responses as object)).toContain('401')
  expect(Object.keys(without!.paths['/thing']!.get!.responses as object)).not.toContain('401')
})

describe('refuses to describe', () => {
  const base: Contract = { ...declared, method: 'GET', path: '/a', operationId: 'a' }
  const wrong: [what: string, contracts: Contract[]][] = [
    ['a route without a summary', [{ ...base, summary: '' }]],
    ['a route without a description', [{ ...base, description: '' }]],
    ['two routes of one name', [base, { ...base, path: '/b' }]],
    ['an undeclared parameter', [{ ...base, path: '/a/{id}' }]],
    [
      'an open-ended answer',
      [
        {
          ...base,
          responses: {
            200: { description: 'x', content: { 'application/json': { schema: Type.Object({}) } } },
          },
        },
      ],
    ],
    [
      'an empty answer',
      [
        {
          ...base,
          responses: {
            200: { description: 'x', content: { 'application/json': { schema: Type.Unknown() } } },
          },
        },
      ],
    ],
    [
      'two schemas of one name',
      [text({}), text({ maxLength: 1 })].map((part, at) => ({
        ...base,
        path: `/${at}`,
        operationId: `${at}`,
        responses: {
          200: {
            description: 'x',
            content: { 'application/json': { schema: strictObject({ part }, { $id: 'Same' }) } },
          },
        },
      })),
    ],
  ]
  for (const [what, contracts] of wrong) {
    test(what, async () => {
      await expect(describeApi(contracts, { version: '1', token: false })).rejects.toThrow()
    })
  }
})

describe('the page', () => {
  const web = webOf([])

  test('has a policy that allows no other origins, and no inline script', async () => {
    const response = await (await web).call('/docs')
    const policy = response.headers.get('content-security-policy')!
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("script-src 'self';")
    expect(policy).toContain("frame-ancestors 'none'")
    const page = await response.text()
    // The steps only contain the address of the request.
    expect(page.replaceAll(ORIGIN, '')).not.toMatch(/<script>|https?:|\son\w+=/)
    expect(response.headers.get('cross-origin-opener-policy')).toBe('same-origin')
  })

  test('loads all its files from this server', async () => {
    const { call } = await web
    const page = await (await call('/docs')).text()
    const files = [...page.matchAll(/(?:src|href)="([^"]+\.[^"]+|\/docs[^"]*)"/g)].map(([, file]) => file!)
    expect(files).toHaveLength(12)
    for (const file of files) {
      const response = await call(file)
      expect(response.status).toBe(200)
      expect((await response.arrayBuffer()).byteLength).toBeGreaterThan(100)
    }
  })

  test('serves no other file of the Swagger UI package', async () => {
    const { call } = await web
    for (const file of [
      'package.json',
      'index.html',
      'swagger-ui.js',
      'swagger-ui-bundle.js.map',
      'NOTICE',
    ]) {
      expect((await call(`/docs/assets/${file}`)).status).toBe(404)
    }
  })
})
