// The multipart reader: all chunk sizes, and malformed bodies.

import { describe, expect, test } from 'bun:test'
import {
  boundaryOf,
  MultipartFault,
  readFieldText,
  readMultipart,
} from '../../../src/http/kernel/multipart.ts'

const LIMITS = { maxHeaderBytes: 1000, maxParts: 5 }

type ReadPart = { name: string; fileName: string | null; mediaType: string | null; text: string }

/** A body that arrives in chunks of a size; 0 is one chunk. */
function bodyOf(content: string | Uint8Array, chunkSize = 0): ReadableStream<Uint8Array> {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content
  const size = chunkSize || bytes.length || 1
  let at = 0
  return new ReadableStream({
    pull(controller) {
      if (at >= bytes.length) return controller.close()
      controller.enqueue(bytes.subarray(at, at + size))
      at += size
    },
  })
}

async function readAll(content: string | Uint8Array, { chunkSize = 0, boundary = 'b' } = {}) {
  const parts: ReadPart[] = []
  for await (const { body, ...head } of readMultipart(bodyOf(content, chunkSize), boundary, LIMITS)) {
    const chunks = await Array.fromAsync(body)
    parts.push({ ...head, text: Buffer.concat(chunks).toString() })
  }
  return parts
}

async function faultOf(content: string | Uint8Array, chunkSize = 0) {
  try {
    await readAll(content, { chunkSize })
  } catch (error) {
    if (error instanceof MultipartFault) return error.code
    throw error
  }
  return 'no fault'
}

const field = (name: string, value: string) =>
  `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
const file = (name: string, value: string, type = 'audio/wav') =>
  `--b\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\nContent-Type: ${type}\r\n\r\n${value}\r\n`
const END = '--b--\r\n'

describe('with any chunk size', () => {
  // Line breaks, dashes and prefixes of the delimiter inside the content are content.
  const tricky = '\r\n--\r\n-\r\n--a\r\n\r\n--\r--b\n--b-\r\r\n'
  const form = field('model', 'tiny.en') + file('a.wav', tricky) + field('language', 'de') + END
  const expected = [
    { name: 'model', fileName: null, mediaType: null, text: 'tiny.en' },
    { name: 'file', fileName: 'a.wav', mediaType: 'audio/wav', text: tricky },
    { name: 'language', fileName: null, mediaType: null, text: 'de' },
  ]
  test(`reads a form identically in chunks of 1 to ${form.length} bytes`, async () => {
    for (let chunkSize = 1; chunkSize <= form.length; chunkSize++) {
      expect(await readAll(form, { chunkSize })).toEqual(expected)
    }
  })

  test('rejects a form that is truncated at any byte', async () => {
    const closing = form.length - END.length + '--b--'.length
    for (let length = 0; length < closing; length++) {
      expect(await faultOf(form.slice(0, length), 7)).toBe('body_interrupted')
    }
    for (let length = closing; length <= form.length; length++) {
      expect(await readAll(form.slice(0, length))).toEqual(expected)
    }
  })
})

test('reads the output of FormData, with names in any script', async () => {
  const form = new FormData()
  const content = crypto.getRandomValues(new Uint8Array(60_000))
  form.set('prompt', 'Zürich, 東京\r\nsecond line')
  form.set('file', new File([content], 'a "quoted"\nnaïve 日本.wav', { type: 'audio/wav' }))
  const request = new Request('http://localhost/', { method: 'POST', body: form })
  const boundary = boundaryOf(request.headers.get('content-type')!)!
  const bytes = new Uint8Array(await request.arrayBuffer())
  const parts: { name: string; fileName: string | null; bytes: Buffer }[] = []
  for await (const part of readMultipart(bodyOf(bytes, 1000), boundary, LIMITS)) {
    parts.push({
      name: part.name,
      fileName: part.fileName,
      bytes: Buffer.concat(await Array.fromAsync(part.body)),
    })
  }
  expect(parts[0]).toEqual({
    name: 'prompt',
    fileName: null,
    bytes: Buffer.from('Zürich, 東京\r\nsecond line'),
  })
  expect(parts[1]!.fileName).toBe('a "quoted"\nnaïve 日本.wav')
  expect(parts[1]!.bytes.equals(content)).toBe(true)
})

test('skips the unread rest of a part', async () => {
  const names: string[] = []
  const body = bodyOf(file('a', 'x'.repeat(5000)) + field('model', 'm') + END, 100)
  for await (const part of readMultipart(body, 'b', LIMITS)) {
    names.push(part.name)
    for await (const _chunk of part.body) break
  }
  expect(names).toEqual(['file', 'model'])
})

test('cancels the source when the consumer stops', async () => {
  let cancelled = false
  const endless = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(Buffer.from(`${file('a', 'x').slice(0, -2)}`)),
    pull: (controller) => controller.enqueue(Buffer.alloc(1000)),
    cancel() {
      cancelled = true
    },
  })
  for await (const part of readMultipart(endless, 'b', LIMITS)) {
    for await (const _chunk of part.body) break
    break
  }
  expect(cancelled).toBe(true)
})

test('reads empty files, empty fields, a preamble, blanks after a delimiter and an epilogue', async () => {
  const form = `preamble\r\n${file('', '')}--b \t\r\ncontent-disposition:form-data;name=x\r\n\r\n\r\n${END}epilogue`
  const parts = await readAll(form)
  expect(parts.map(({ name, fileName, text }) => [name, fileName, text])).toEqual([
    ['file', '', ''],
    ['x', null, ''],
  ])
})

test('reads names written with backslashes and after RFC 5987', async () => {
  const disposition = (value: string) => `--b\r\nContent-Disposition: form-data; ${value}\r\n\r\n\r\n${END}`
  const fileName = async (value: string) => (await readAll(disposition(value)))[0]!.fileName
  expect(await fileName('name="file"; filename="a\\"b.wav"')).toBe('a"b.wav')
  expect(await fileName("name=file; filename=plain.wav; filename*=UTF-8''na%C3%AFve.wav")).toBe('naïve.wav')
  expect(await fileName("name=file; filename=plain.wav; filename*=UTF-8''%ff")).toBe('plain.wav')
  expect(await fileName('name="file"; filename="a;b=c.wav"')).toBe('a;b=c.wav')
})

test('reads file names of any bytes, with replacement characters for invalid ones', async () => {
  const fileName = async (value: string) => {
    const head = `--b\r\nContent-Disposition: form-data; name=file; ${value}\r\n\r\nsound\r\n${END}`
    const [part] = await readAll(Buffer.from(head, 'latin1'))
    expect(part).toMatchObject({ name: 'file', text: 'sound' })
    return part!.fileName
  }
  expect(await fileName('filename="M\xfcller.wav"')).toBe('M\uFFFDller.wav')
  expect(await fileName('filename=M\xfcller.wav')).toBe('M\uFFFDller.wav')
  expect(await fileName("filename*=UTF-8''M%FCller.wav")).toBe('M\uFFFDller.wav')
  expect(await fileName("filename*=iso-8859-1'de'M%FCller.wav")).toBe('Müller.wav')
  expect(await fileName("filename*=UTF-8''100%.wav")).toBe('100%.wav')
  const text = async (name: string) => fileName(`filename="${Buffer.from(name).toString('latin1')}"`)
  for (const name of ['🎙️.wav', 'two\u2028lines.wav', 'line\nbreak.wav', '\u0007bell\x7f.wav'])
    expect(await text(name)).toBe(name)
})

describe('rejects', () => {
  const head = (lines: string) => `--b\r\n${lines}\r\n\r\nx\r\n${END}`
  const malformed: [string, string | Uint8Array][] = [
    ['a part without a disposition', head('Content-Type: text/plain')],
    ['a part without headers', `--b\r\n\r\nx\r\n${END}`],
    ['a part without a name', head('Content-Disposition: form-data')],
    ['another disposition', head('Content-Disposition: attachment; name="a"')],
    ['a part with an invalid header line', head('Content-Disposition form-data; name="a"')],
    ['a folded header', head('Content-Disposition: form-data;\r\n name="a"')],
    ['a space before the colon', head('Content-Disposition : form-data; name="a"')],
    [
      'an encoded part',
      head('Content-Disposition: form-data; name="a"\r\nContent-Transfer-Encoding: base64'),
    ],
    ['a name that is not UTF-8', Buffer.from(head('Content-Disposition: form-data; name="\xff"'), 'latin1')],
    ['rubbish after a delimiter', `--bx\r\n${head('Content-Disposition: form-data; name="a"')}`],
    ['bare line feeds', field('a', 'x').replaceAll('\r\n', '\n') + END],
    ['a head that does not end', `--b\r\nA: ${'x'.repeat(3000)}`],
    ['a body that is something else', 'x'.repeat(3000)],
  ]
  for (const [what, body] of malformed) {
    test(what, async () => expect(await faultOf(body)).toBe('malformed_multipart'))
  }
  test('an empty body', async () => expect(await faultOf('')).toBe('body_interrupted'))
  test('too many parts', async () => {
    expect(await faultOf(field('a', '').repeat(5) + END)).toBe('no fault')
    expect(await faultOf(field('a', '').repeat(6) + END)).toBe('body_too_large')
  })
  test('a field that is too long', async () => {
    const read = async () => {
      for await (const part of readMultipart(bodyOf(field('a', 'x'.repeat(101)) + END), 'b', LIMITS)) {
        await readFieldText(part, 100)
      }
    }
    await expect(read()).rejects.toMatchObject({ code: 'body_too_large' })
  })
  test('a truncated form whose consumer swallowed the error', async () => {
    const body = bodyOf(file('a.wav', 'some audio\r\n').slice(0, -4), 5)
    const read = async () => {
      for await (const part of readMultipart(body, 'b', LIMITS)) {
        await Array.fromAsync(part.body).catch(() => [])
      }
    }
    await expect(read()).rejects.toMatchObject({ code: 'body_interrupted' })
  })
})

test('finds the boundary in all its spellings', () => {
  expect(boundaryOf('multipart/form-data; boundary=abc')).toBe('abc')
  expect(boundaryOf('multipart/form-data; charset=utf-8; Boundary="a b:c"; x=y')).toBe('a b:c')
  expect(boundaryOf('multipart/form-data')).toBe(null)
  expect(boundaryOf('multipart/form-data; boundary=')).toBe(null)
  expect(boundaryOf(`multipart/form-data; boundary=${'x'.repeat(71)}`)).toBe(null)
})
