// Registers the tests for request bodies of one operation: JSON, files, or a form with a recording.

import { expect, test } from 'bun:test'
import fc from '../../support/fast-check.ts'
import type { Received } from './client.ts'
import { type Body, ignoresUnknown, type Operation, type Schema } from './document.ts'
import { codeOf, expectFault } from './faults.ts'
import { createGenerator } from './generate.ts'
import { bodyMutants, textMutants } from './mutations.ts'
import { formWith, silentWav } from './recordings.ts'
import type { Subject } from './subject.ts'
import {
  fileOf,
  INSTALLED,
  JSON_TYPE,
  leastInput,
  meaningfulOf,
  neededFields,
  settled,
  validBody,
} from './valid-input.ts'

/** Tests for invalid JSON bodies. */
export function testJsonBody(subject: Subject, one: Operation, { schema, required }: Body): void {
  const { client, document } = subject
  const send = async (body: BodyInit, headers: Record<string, string> = JSON_TYPE) =>
    client.call(one, { path: await subject.existing(one), query: leastInput(one).query, headers, body })

  test('refuses each invalid variant of the body and names the field', async () => {
    for (const { what, path, value } of bodyMutants(document, schema, validBody(one))) {
      expectFault(await send(JSON.stringify(value)), 'body', path, what)
    }
  }, 180_000)

  test('accepts texts of the maximum length', async () => {
    const isValid = document.validator(schema)
    for (const { name, maxLength } of textLimits(document.resolve(schema))) {
      const value = settled(one, { ...validBody(one), [name]: 'x'.repeat(maxLength) }, name)
      // Not every text of that length has the required format.
      if (!isValid(value)) continue
      const received = await send(JSON.stringify(value))
      // An earlier request may have taken the name.
      const isTaken = received.status === 409
      const isUnknown = ['unknown_model', 'invalid_request'].includes(received.json.code)
      if (name in meaningfulOf(one) && !['name', 'command'].includes(name) && isUnknown) continue
      expect(received.status < 300 || isTaken, `${one.id} ${name}: ${received.text}`).toBe(true)
    }
  }, 180_000)

  test('refuses bodies that are not JSON', async () => {
    const broken = ['{', '{"a":1,}', "{'a':1}", '{}{}', 'undefined', '[1', '{"a":NaN}', '\u0000', '\xa0']
    for (const text of required ? ['', ...broken] : broken) {
      const received = await send(text)
      expect([received.status, received.json.code], text).toEqual([400, 'malformed_json'])
    }
    expect((await send(new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]))).status).toBe(400)
  })

  test('refuses other media types and compressed bodies', async () => {
    const types = [
      'text/plain',
      'application/x-www-form-urlencoded',
      'application/jsonx',
      'multipart/form-data',
      'x',
    ]
    for (const type of types.filter((type) => !takes(one, type))) {
      await expectMediaTypeRefused(() => send('{}', { 'content-type': type }), one)
    }
    await expectMediaTypeRefused(() => send('{}', { ...JSON_TYPE, 'content-encoding': 'gzip' }), one)
  })

  test('refuses bodies over the limit, declared and counted', async () => {
    const large = `{"x":"${'x'.repeat(1024 * 1024)}"}`
    expect((await send(large)).json.code).toBe('body_too_large')
    expect((await send(inChunks(large))).json.code).toBe('body_too_large')
  })
}

/** Tests for invalid files that are sent as the body. */
export function testFile(subject: Subject, one: Operation): void {
  const send = (body: BodyInit, type: string) =>
    subject.client.call(one, { headers: { 'content-type': type }, body })
  const [plain = ''] = one.bodies.map(({ mediaType }) => mediaType)

  test('refuses other media types, invalid text and too much text', async () => {
    for (const type of ['application/x-www-form-urlencoded', 'multipart/form-data', 'audio/wav', 'x']) {
      await expectMediaTypeRefused(() => send('x', type), one)
    }
    expectFault(await send(new Uint8Array([0x61, 0xff, 0x62]), plain), 'body', '', 'no UTF-8')
    const large = await send(Buffer.alloc(16 * 1024 * 1024 + 1, 'x'), plain)
    expect(codeOf(large)).toBe('body_too_large')
    expect(codeOf(await send('{', 'application/json'))).toBe('malformed_json')
  }, 180_000)
}

/** A stream of unknown length, which fetch sends in chunks. */
const inChunks = (text: string): ReadableStream<Uint8Array> => {
  const pieces = text.match(/.{1,65536}/gs) ?? []
  return new ReadableStream({
    pull(controller) {
      const piece = pieces.shift()
      if (piece === undefined) controller.close()
      else controller.enqueue(Buffer.from(piece))
    },
  })
}

const textLimits = (schema: Schema): { name: string; maxLength: number }[] =>
  Object.entries(schema.properties ?? {}).flatMap(([name, property]) =>
    [property, ...(property.anyOf ?? [])].flatMap(({ maxLength }) =>
      maxLength ? [{ name, maxLength }] : [],
    ),
  )

const takes = ({ bodies }: Operation, type: string): boolean =>
  bodies.some(({ mediaType }) =>
    mediaType.endsWith('/*') ? type.startsWith(mediaType.slice(0, -1)) : type === mediaType,
  )

async function expectMediaTypeRefused(send: () => Promise<Received>, one: Operation): Promise<void> {
  const received = await send()
  expect([received.status, codeOf(received)], one.id).toEqual([415, 'unsupported_media_type'])
  const accepted = one.bodies.map(({ mediaType }) => mediaType)
  // Other programs' formats have no field for it, but the message contains it.
  const { error } = received.json
  if (error) expect(error.message ?? error).toContain(accepted[0]!)
  else expect(received.json.accepted, one.id).toEqual(accepted)
}

/** Tests for invalid forms with a file: a recording, or a model. */
export function testForm(subject: Subject, one: Operation, { properties = {} }: Schema): void {
  const { client, document } = subject
  const values = createGenerator(document, {})
  const send = (body: BodyInit, headers?: Record<string, string>) => client.call(one, { body, headers })
  const { file: _file, ...fields } = properties
  /** Adds the required fields, except the one under test. */
  const form = (tried: [string, string][], file?: File | null) => {
    const isTried = ([name]: [string, string]) => tried.some(([other]) => other === name)
    return formWith([...neededFields(one).filter((field) => !isTried(field)), ...tried], file)
  }

  test('refuses each field that is invalid, unknown or repeated', async () => {
    for (const [name, schema] of Object.entries(fields)) {
      // A blank form field counts as absent.
      for (const text of textMutants(document, schema).filter((text) => text !== '')) {
        expectFault(await send(form([[name, text]])), 'form', `/${name}`, `${name}: ${text.slice(0, 40)}`)
      }
      const [valid] = fc.sample(meaningfulOf(one)[name] ?? values.arbitraryOf(schema), 1)
      const text = typeof valid === 'object' ? JSON.stringify(valid) : `${valid}`
      const twice: [string, string][] = [
        [name, text],
        [name, text],
      ]
      // A list field may be repeated.
      const isList = schema.type === 'array'
      if (text !== '' && !isList) expectFault(await send(form(twice)), 'form', `/${name}`, `${name} twice`)
    }
    for (const name of ['unknown', '__proto__', 'constructor']) {
      const received = await send(form([[name, '1']]))
      if (ignoresUnknown(one)) expect(received.status, `${one.id} with ${name}`).toBe(200)
      else expectFault(received, 'form', `/${name}`, name)
    }
  }, 180_000)

  test('refuses forms without a file, with two, or with text instead of a file', async () => {
    const two = form([], fileOf(one))
    two.append('file', silentWav())
    for (const wrong of [form([], null), form([['file', 'text']], null), two]) {
      expectFault(await send(wrong), 'form', '/file', 'file')
    }
  })

  test('refuses files that are empty, too large or of the wrong type', async () => {
    const isModel = one.id === 'importModel'
    const cases: [content: BlobPart, status: number, code: string][] = [
      ['', 400, 'empty_file'],
      [
        'words, not sound',
        ...(isModel ? ([422, 'invalid_model'] as const) : ([415, 'unsupported_audio'] as const)),
      ],
    ]
    const large = Buffer.concat([await silentWav().bytes(), Buffer.alloc(1024 * 1024)])
    if (!isModel) cases.push([large, 413, 'file_too_large'])
    for (const [content, status, code] of cases) {
      const received = await send(form([], new File([content], 'a.wav')))
      expect([received.status, codeOf(received)]).toEqual([status, code])
    }
  })

  test('refuses other media types and unreadable forms', async () => {
    const types = ['application/json', 'text/plain', 'application/x-www-form-urlencoded', 'audio/wavx', 'x']
    for (const type of types.filter((type) => !takes(one, type))) {
      await expectMediaTypeRefused(() => send('{}', { 'content-type': type }), one)
    }
    const noForms: [type: string, body: string][] = [
      ['multipart/form-data', 'xx'],
      ['multipart/form-data; boundary=', 'xx'],
      ['multipart/form-data; boundary=b', '--b\r\nnothing: at all\r\n\r\nxx\r\n--b--'],
    ]
    for (const [type, body] of noForms) {
      expect(codeOf(await send(body, { 'content-type': type }))).toBe('malformed_multipart')
    }
    const cut = await send('xx', { 'content-type': 'multipart/form-data; boundary=b' })
    expect(codeOf(cut)).toBe('body_interrupted')
  })

  const model = ['stt_model', 'model'].find((name) => name in fields)
  if (model === undefined) return
  test('refuses a model that is unknown, or that cannot do what the request needs', async () => {
    const refusal = async (fields: [string, string][]) => codeOf(await send(form(fields)))
    // Users choose the names of Azure deployments.
    if (!one.id.startsWith('createAzure'))
      expect(await refusal([[model, 'nonexistent']])).toBe('unknown_model')
    expect(await refusal([[model, 'large-v3']])).toBe('model_not_installed')
    if (!('language' in fields)) expect(await refusal([[model, INSTALLED]])).toBe('unsupported_task')
    else expect(await refusal([['language', 'de']])).toBe('unsupported_language')
  })
}
