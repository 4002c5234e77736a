// The tests of what may come in a body: JSON, or a form with a recording.
// Registers tests for one operation; what holds for every operation is contract.test.ts.

import { expect, test } from 'bun:test'
import fc from 'fast-check'
import type { Received } from './client.ts'
import type { Operation, Schema } from './document.ts'
import { bodyMutants, textMutants } from './mutations.ts'
import { formWith, silentWav } from './recordings.ts'
import { expectFault, JSON_TYPE, leastInput, MEANINGFUL, type Subject, VALID_BODIES } from './subject.ts'

/** The ways to spoil a JSON body. */
export function testJsonBody(
  subject: Subject,
  one: Operation,
  { schema, required }: NonNullable<Operation['body']>,
): void {
  const { client, document } = subject
  const send = async (body: BodyInit, headers: Record<string, string> = JSON_TYPE) =>
    client.call(one, { path: await subject.existing(one), query: leastInput(one).query, headers, body })

  test('refuses each way to spoil the body, and names the place', async () => {
    for (const { what, path, value } of bodyMutants(document, schema, VALID_BODIES[one.id] ?? {})) {
      expectFault(await send(JSON.stringify(value)), 'body', path, what)
    }
  }, 60_000)

  test('takes texts of the greatest length', async () => {
    for (const { name, maxLength } of textLimits(document.resolve(schema))) {
      const received = await send(JSON.stringify({ ...VALID_BODIES[one.id], [name]: 'x'.repeat(maxLength) }))
      // A name may be taken by what was made a moment ago.
      const isTaken = received.status === 409
      if (name in MEANINGFUL) expect(['unknown_model', 'invalid_request']).toContain(received.json.code)
      else expect(received.status < 300 || isTaken, `${one.id} ${name}: ${received.text}`).toBe(true)
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
    expect((await send(inChunks(large))).json.code).toBe('body_too_large')
  })
}

/** A stream of unknown length, which fetch sends chunked. */
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

async function expectMediaTypeRefused(send: () => Promise<Received>, { id, body }: Operation): Promise<void> {
  const { status, json } = await send()
  expect([status, json.code, json.accepted], id).toEqual([415, 'unsupported_media_type', [body!.mediaType]])
}

/** The ways to spoil a form with a recording. */
export function testForm(subject: Subject, one: Operation, { properties = {} }: Schema): void {
  const { client, document, values } = subject
  const send = (body: BodyInit, headers?: Record<string, string>) => client.call(one, { body, headers })
  const { file: _file, ...fields } = properties

  test('refuses each field that is wrong, unknown or given twice', async () => {
    for (const [name, schema] of Object.entries(fields)) {
      // A blank field of a web form was not given.
      for (const text of textMutants(document, schema).filter((text) => text !== '')) {
        expectFault(await send(formWith([[name, text]])), 'form', `/${name}`, `${name}: ${text.slice(0, 40)}`)
      }
      const [valid] = fc.sample(MEANINGFUL[name] ?? values.arbitraryOf(schema), 1)
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
