// The scripts of the documentation page, without a browser: samples run in their languages, operations are resolved.

import { describe, expect, test } from 'bun:test'
import { OPENAPI_FILE } from '../../../scripts/openapi.ts'
import { PROBLEMS } from '../../../src/http/kernel/problem.ts'

type Sampled = Record<'method' | 'url', string> & {
  headers: Record<string, string>
  fields?: { name: string; value?: string; file?: string }[]
  json?: string
  text?: string
  upload?: string
}
// biome-ignore lint/suspicious/noExplicitAny: an operation is what the document has
type Operation = any

const script = (name: string) =>
  import(new URL(`../../../src/http/docs/assets/${name}`, import.meta.url).href)
const { samplesOf } = (await script('samples.js')) as {
  samplesOf(request: Sampled): Record<'curl' | 'JavaScript' | 'Python', string>
}
const { resolveSubtree } = (await script('resolve.js')) as {
  resolveSubtree(document: object, path: string[]): Promise<{ spec: Operation }>
}

const AWKWARD = `it's "$HOME" \\ \`x\` – 100 %\nnext`
const URL_OF_ALL = 'http://localhost:1/things?q=a%20b&x=1'
const WITH_FORM: Sampled = {
  ...{ method: 'POST', url: URL_OF_ALL, headers: { Prefer: 'wait=2' } },
  fields: [
    { name: 'file', file: 'my recording.wav' },
    { name: 'prompt', value: AWKWARD },
    { name: 'at', value: '@home' },
  ],
}
const VALUE = { a: AWKWARD, b: [true, null, 1.5] }
const WITH_JSON: Sampled = {
  ...{ method: 'PATCH', url: URL_OF_ALL, headers: { 'Content-Type': 'application/json' } },
  json: JSON.stringify(VALUE, null, 2),
}

describe('a sample', () => {
  test('for curl passes values through a shell unchanged', () => {
    const wordsOf = (request: Sampled) => {
      const code = samplesOf(request).curl.replace(/^curl/, "printf '%s\\0'")
      return Bun.spawnSync(['sh', '-c', code]).stdout.toString().split('\0').slice(0, -1)
    }
    expect(wordsOf(WITH_FORM)).toEqual([
      ...[URL_OF_ALL, '-H', 'Prefer: wait=2', '-F', 'file=@my recording.wav'],
      ...['-F', `prompt=${AWKWARD}`, '--form-string', 'at=@home'],
    ])
    expect(wordsOf(WITH_JSON)).toEqual([
      ...['-X', 'PATCH', URL_OF_ALL, '-H', 'Content-Type: application/json', '--data-raw', WITH_JSON.json!],
    ])
  })

  test('in JavaScript runs and sends the request', async () => {
    const sentBy = async (request: Sampled): Promise<Request> => {
      let sent: Request | undefined
      const fetch = async (url: string, init: RequestInit) => {
        sent = new Request(url, init)
        return new Response('')
      }
      const run = new Function(
        ...['fetch', 'file', 'console'],
        `return (async () => {${samplesOf(request).JavaScript}})()`,
      )
      await run(fetch, new File(['x'], 'x.wav'), { log: () => {} })
      return sent!
    }
    const form = await sentBy(WITH_FORM)
    const fields = await form.formData()
    expect([form.url, fields.get('prompt')?.toString().replaceAll('\r\n', '\n'), fields.get('at')]).toEqual([
      ...[URL_OF_ALL, AWKWARD, '@home'],
    ])
    const json = await sentBy(WITH_JSON)
    expect([json.method, await json.json()]).toEqual(['PATCH', VALUE])
  })

  test.skipIf(!Bun.which('python3'))('in Python runs and sends the request', () => {
    const stub = `import json, sys, types
def call(method):
    def f(url, **given):
        print(json.dumps([method, url, given]))
        return types.SimpleNamespace(text='', json=lambda: None)
    return f
sys.modules['requests'] = types.SimpleNamespace(**{m: call(m) for m in ['get', 'post', 'patch']})
open = lambda name, mode: name
`
    const sentBy = (request: Sampled) => {
      const run = Bun.spawnSync(['python3', '-c', stub + samplesOf(request).Python])
      return JSON.parse(run.stdout.toString().split('\n')[0]!)
    }
    const data = [
      ['prompt', AWKWARD],
      ['at', '@home'],
    ]
    const given = { headers: { Prefer: 'wait=2' }, files: { file: 'my recording.wav' }, data }
    expect(sentBy(WITH_FORM)).toEqual(['post', URL_OF_ALL, given])
    expect(sentBy(WITH_JSON)).toEqual(['patch', URL_OF_ALL, { json: VALUE }])
  })
})

describe('a resolved operation for Swagger UI', async () => {
  const document = await Bun.file(OPENAPI_FILE).json()
  const shown: { name: string; operation: Operation }[] = await Promise.all(
    Object.entries(document.paths as Record<string, object>).flatMap(([path, methods]) =>
      Object.keys(methods).map(async (method) => ({
        name: `${method} ${path}`,
        operation: (await resolveSubtree(document, ['paths', path, method])).spec,
      })),
    ),
  )

  test('contains no references', () => {
    expect(shown.filter(({ operation }) => JSON.stringify(operation).includes('"$ref"'))).toEqual([])
  })

  test('reduces problems to codes that the page explains', () => {
    for (const { name, operation } of shown) {
      expect(operation['x-problems'], name).toContain('internal_error')
      for (const code of operation['x-problems']) expect(Object.keys(PROBLEMS), name).toContain(code)
      expect(Object.keys(operation.responses).filter((status) => Number(status) >= 400)).toEqual([])
    }
  })

  test('fills in no fields', () => {
    const { operation } = shown.find(({ name }) => name === 'post /transcribe')!
    const { file, ...fields } = operation.requestBody.content['multipart/form-data'].schema.properties
    expect(file).not.toHaveProperty('default')
    expect(fields.prompt.default).toBe('')
    expect(fields.keywords.default).toEqual([])
    for (const { operation } of shown) {
      for (const { schema } of operation.parameters ?? []) expect(schema).not.toHaveProperty('default')
    }
  })
})

test('describes a default in words, and fills it into no field', async () => {
  const task = { type: 'string', description: 'what to do', default: 'transcribe', examples: [''] }
  const properties = { file: { type: 'string', format: 'binary' }, task }
  const form = { 'multipart/form-data': { schema: { type: 'object', properties } } }
  const parameters = [{ name: 'limit', in: 'query', description: 'how many', schema: { default: 50 } }]
  const post = { operationId: 'a', parameters, requestBody: { content: form }, responses: {} }
  const { spec } = await resolveSubtree({ paths: { '/a': { post } } }, ['paths', '/a', 'post'])
  const shownForm = spec.requestBody.content['multipart/form-data'].schema.properties
  expect(shownForm.task).toEqual({
    ...{ type: 'string', description: 'what to do. Default: `transcribe`', default: '' },
  })
  expect(spec.parameters[0]).toMatchObject({ description: 'how many. Default: `50`', schema: {} })
  expect(spec.parameters[0].schema).not.toHaveProperty('default')
})
