// Tests that need a real socket: malformed requests, wrong body sizes, clients that disconnect or stall, and the stop of
// the server.

import { afterAll, describe, expect, test } from 'bun:test'
import { connect, type Socket } from 'node:net'
import { composeApp } from '../../../src/http/compose-app.ts'
import { formFields, receiveForm } from '../../../src/http/kernel/form.ts'
import { problemResponse } from '../../../src/http/kernel/problem.ts'
import { defineRoute } from '../../../src/http/kernel/route.ts'
import { strictObject, text } from '../../../src/http/kernel/schema.ts'
import { eventStream } from '../../../src/http/server/event-stream.ts'
import { type HttpListener, serve } from '../../../src/http/server/serve.ts'
import { silentLog } from '../../../src/lib/log.ts'
import { fail, succeed } from '../../../src/lib/result.ts'
import { exchangeDeaf, isWhole } from '../../support/exchange.ts'
import { until } from '../../support/until.ts'
import { declared } from '../../support/web.ts'

const MAX_FILE_BYTES = 5_000_000

type Gate = { entered: number; open: PromiseWithResolvers<void>; aborted: number }
const gate: Gate = { entered: 0, open: Promise.withResolvers(), aborted: 0 }
const uploads = { begun: 0, ended: 0, results: [] as string[] }

const fields = strictObject({})
const routes = [
  defineRoute({ ...declared, method: 'GET', path: '/now', operationId: 'now' }, () =>
    Response.json({ now: true }),
  ),
  defineRoute({ ...declared, method: 'GET', path: '/wait', operationId: 'wait' }, async (request) => {
    gate.entered++
    request.signal.addEventListener('abort', () => gate.aborted++)
    await gate.open.promise
    return Response.json({ waited: true })
  }),
  defineRoute({ ...declared, method: 'GET', path: '/events', operationId: 'events' }, (request) =>
    eventStream(
      async function* (signal) {
        gate.entered++
        await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
        gate.aborted++
        yield { data: 'never sent' }
      },
      { signal: request.signal, describeError: () => ({}) },
    ),
  ),
  defineRoute(
    {
      ...{ ...declared, method: 'POST', path: '/json', operationId: 'json' },
      body: { kind: 'json', schema: strictObject({ name: text({}) }), example: {} },
    },
    (_request, { body }) => Response.json(body),
  ),
  defineRoute(
    {
      ...{ ...declared, method: 'POST', path: '/upload', operationId: 'upload' },
      body: { kind: 'form', fields, file: { description: 'a file' } },
    },
    async (request, { connection }) => {
      uploads.begun++
      const form = await receiveForm({
        ...{ request, connection, fields: formFields(fields), maxFileBytes: MAX_FILE_BYTES },
        async store({ fileName, body }) {
          if (fileName === 'unwanted') return fail({ code: 'unsupported_audio', detail: 'No.' })
          let bytes = 0
          for await (const chunk of body) {
            bytes += chunk.length
            if (bytes > MAX_FILE_BYTES)
              return { ok: false, failure: { code: 'file_too_large', detail: 'Too large.' } }
          }
          return succeed(bytes)
        },
        discard: async () => {},
      })
      uploads.ended++
      uploads.results.push(form.ok ? 'ok' : form.failure.code)
      return form.ok ? Response.json({ bytes: form.value.stored }) : problemResponse(form.failure)
    },
  ),
]

const app = await composeApp(routes, {
  config: { port: 0, token: null, users: 'own', origins: [] },
  log: silentLog,
  version: '0',
})
const broken: unknown[] = []
async function listen(more: { port?: number; idleSeconds?: number } = {}) {
  const onError = (error: unknown) => broken.push(error)
  return serve({ fetch: app.fetch, hostnames: ['127.0.0.1', '::1'], port: 0, onError, ...more })
}
async function listening(more: { idleSeconds?: number } = {}): Promise<HttpListener> {
  const started = await listen(more)
  if (!started.ok) throw new Error(started.failure.message)
  return started.value
}
const server = await listening()
const { port } = server
afterAll(async () => {
  await server.stop(0)
  expect(broken).toEqual([])
})

/** Sends bytes and returns the response bytes until the server closes, or until `enough`. */
function exchange(sent: string, enough: (received: string) => boolean = isWhole): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(sent))
    let received = ''
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1')
      if (enough(received)) socket.destroy()
    })
    socket.on('close', () => resolve(received))
    socket.on('error', (error) => (received === '' ? reject(error) : resolve(received)))
  })
}
const statusOf = (received: string) => Number(/^HTTP\/1\.1 (\d{3})/.exec(received)?.[1])
const host = `Host: localhost:${port}\r\n`
const form = `${host}Content-Type: multipart/form-data; boundary=b\r\n`
const part = '--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n'

describe('refuses', () => {
  const cases: [what: string, sent: string, status: number, code?: string][] = [
    ['a request without Host', 'GET /now HTTP/1.1\r\n\r\n', 400],
    ['HTTP/1.0 without Host', 'GET /now HTTP/1.0\r\n\r\n', 403, 'host_not_allowed'],
    ['an empty Host', 'GET /now HTTP/1.1\r\nHost:\r\n\r\n', 403, 'host_not_allowed'],
    ['two Hosts', `GET /now HTTP/1.1\r\n${host}Host: evil.test\r\n\r\n`, 403, 'host_not_allowed'],
    ['a Host with a path', 'GET /now HTTP/1.1\r\nHost: a/now\r\n\r\n', 403, 'host_not_allowed'],
    ['a Host with a space', 'GET /now HTTP/1.1\r\nHost: a b\r\n\r\n', 403, 'host_not_allowed'],
    ['a Host that would shift the path', 'GET /xx/now HTTP/1.1\r\nHost: a\r\n\r\n', 403, 'host_not_allowed'],
    [
      'an upgrade of another origin',
      `GET /now HTTP/1.1\r\n${host}Origin: http://evil.test\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n`,
      403,
      'origin_not_allowed',
    ],
    ['OPTIONS of another host', 'OPTIONS * HTTP/1.1\r\nHost: evil.test\r\n\r\n', 400],
    ['two lengths', `POST /json HTTP/1.1\r\n${host}Content-Length: 1\r\nContent-Length: 2\r\n\r\n{}`, 400],
    [
      'a length and chunks',
      `POST /json HTTP/1.1\r\n${host}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      400,
    ],
    ['a negative length', `POST /json HTTP/1.1\r\n${host}Content-Length: -1\r\n\r\n{}`, 400],
    ['a request line of more than 16 KiB', `GET /now?q=${'x'.repeat(16_384)} HTTP/1.1\r\n${host}\r\n`, 431],
    ['headers of more than 16 KiB', `GET /now HTTP/1.1\r\n${host}X-A: ${'x'.repeat(16_384)}\r\n\r\n`, 431],
    ['what is not HTTP', '\x16\x03\x01\x02\x00\x01\r\n\r\n', 400],
    ['TRACE', `TRACE /now HTTP/1.1\r\n${host}\r\n`, 405, 'method_not_allowed'],
    ['a path with two slashes', `GET //now HTTP/1.1\r\n${host}\r\n`, 404, 'no_such_route'],
    [
      'a form without a boundary',
      `POST /upload HTTP/1.1\r\n${host}Content-Type: multipart/form-data\r\nContent-Length: 2\r\n\r\nxx`,
      400,
      'malformed_multipart',
    ],
    [
      'a form that is cut off',
      `POST /upload HTTP/1.1\r\n${form}Content-Length: ${part.length + 3}\r\n\r\n${part}abc`,
      400,
      'body_interrupted',
    ],
    [
      'a form declared too large',
      `POST /upload HTTP/1.1\r\n${form}Content-Length: 9999999999\r\n\r\n${part}`,
      413,
      'file_too_large',
    ],
    [
      'a form declared too large after Expect',
      `POST /upload HTTP/1.1\r\n${form}Expect: 100-continue\r\nContent-Length: 9999999999\r\n\r\n`,
      413,
      'file_too_large',
    ],
    [
      'JSON declared too large',
      `POST /json HTTP/1.1\r\n${host}Content-Type: application/json\r\nContent-Length: 9999999\r\n\r\n{`,
      413,
      'body_too_large',
    ],
  ]
  for (const [what, sent, status, code] of cases) {
    test(what, async () => {
      const received = (await exchange(sent)).replace('HTTP/1.1 100 Continue\r\n\r\n', '')
      expect(statusOf(received)).toBe(status)
      if (code) expect(received).toContain(`"code":"${code}"`)
      expect(received).not.toMatch(/\.ts|node_modules|<html/)
    })
  }

  for (const [route, head, begin] of [
    ['/upload', form, part],
    ['/json', `${host}Content-Type: application/json\r\n`, '{"name":"'],
  ] as const) {
    test(`endless chunks at ${route}, by counting them`, async () => {
      const received = await new Promise<string>((resolve) => {
        let answer = ''
        const socket = connect(port, '127.0.0.1', () => {
          socket.write(`POST ${route} HTTP/1.1\r\n${head}Transfer-Encoding: chunked\r\n\r\n`)
          socket.write(`${begin.length.toString(16)}\r\n${begin}\r\n`)
          send()
        })
        const send = () => {
          while (socket.writable && socket.write(`10000\r\n${'x'.repeat(0x10000)}\r\n`));
        }
        socket.on('drain', send)
        socket.on('data', (chunk) => {
          answer += chunk.toString()
          if (isWhole(answer)) socket.destroy()
        })
        socket.on('close', () => resolve(answer))
        socket.on('error', () => resolve(answer))
      })
      // Unread bytes at the end of the connection may cause a reset that discards the response.
      if (received !== '') expect(statusOf(received)).toBe(413)
    })
  }
})

describe('a client that reads only after sending everything receives the rejection', () => {
  const body = Buffer.concat([
    Buffer.from(part.replace('"a"', '"unwanted"')),
    Buffer.alloc(MAX_FILE_BYTES - 1000),
    Buffer.from('\r\n--b--\r\n'),
  ])
  const refusals: [what: string, head: string, code: string][] = [
    ['a foreign Host', 'POST /upload HTTP/1.1\r\nHost: evil.test\r\n', 'host_not_allowed'],
    ['a wrong type', `POST /upload HTTP/1.1\r\n${host}Content-Type: a/b\r\n`, 'unsupported_media_type'],
    ['a long body', `POST /json HTTP/1.1\r\n${host}Content-Type: application/json\r\n`, 'body_too_large'],
    ['a file of an unsupported format', `POST /upload HTTP/1.1\r\n${form}`, 'unsupported_audio'],
  ]
  for (const [what, head, code] of refusals) {
    test(what, async () => {
      const sent = Buffer.from(`${head}Content-Length: ${body.length}\r\n\r\n`)
      expect(await exchangeDeaf(port, Buffer.concat([sent, body]))).toContain(`"${code}"`)
    })
  }
})

test('detects a client that disconnects during its upload, and keeps running', async () => {
  const before = uploads.ended
  for (const head of [
    `Content-Length: 100000\r\n\r\n${part}abc`,
    `Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n`,
  ]) {
    const socket = await send(`POST /upload HTTP/1.1\r\n${form}${head}`)
    await until(() => uploads.begun > uploads.ended)
    socket.destroy()
    await until(() => uploads.ended === uploads.begun)
  }
  expect(uploads.ended).toBe(before + 2)
  expect(uploads.results.at(-1)).toBe('body_interrupted')
  expect(statusOf(await exchange(`GET /now HTTP/1.1\r\n${host}\r\n`))).toBe(200)
})

test('detects a client that disconnects while it waits', async () => {
  for (const path of ['/wait', '/events']) {
    const { entered, aborted } = gate
    const socket = await send(`GET ${path} HTTP/1.1\r\n${host}\r\n`)
    await until(() => gate.entered > entered)
    socket.destroy()
    await until(() => gate.aborted > aborted)
  }
})

test('HEAD returns the length of GET without content, and keeps the connection open', async () => {
  const twice = `HEAD /docs HTTP/1.1\r\n${host}\r\nGET /now HTTP/1.1\r\n${host}Connection: close\r\n\r\n`
  const received = await exchange(twice, () => false)
  const answers = received.split(/(?=HTTP\/1\.1 )/)
  expect(answers.map(statusOf)).toEqual([200, 200])
  expect(answers[0]).toMatch(/content-length: [1-9]\d+/i)
  expect(answers[0]).not.toContain('<html')
  expect(answers[1]).toContain('{"now":true}')
})

test('listens on both loopback addresses', async () => {
  for (const url of server.urls) expect((await fetch(`${url}/now`)).status).toBe(200)
})

test('disconnects a client that stops sending, but not one that waits for a response', async () => {
  gate.open = Promise.withResolvers()
  const quick = await listening({ idleSeconds: 1 })
  const waiting = fetch(`${quick.urls[0]}/wait`)
  const stalled = await new Promise<boolean>((resolve) => {
    const head = `POST /upload HTTP/1.1\r\nHost: localhost:${quick.port}\r\nContent-Type: multipart/form-data; boundary=b\r\n`
    const socket = connect(quick.port, '127.0.0.1', () =>
      socket.write(`${head}Content-Length: 1000\r\n\r\n${part}abc`),
    )
    socket.on('close', () => resolve(true))
    socket.on('error', () => {})
  })
  expect(stalled).toBe(true)
  gate.open.resolve()
  expect((await waiting).status).toBe(200)
  await quick.stop(0)
}, 180_000)

describe('stopping', () => {
  test('waits for requests in flight and rejects new ones', async () => {
    gate.open = Promise.withResolvers()
    const { entered } = gate
    const second = await listening()
    const waiting = fetch(`${second.urls[0]}/wait`)
    await until(() => gate.entered > entered)
    const stopped = second.stop(30_000)
    await until(() =>
      fetch(`${second.urls[0]}/now`).then(
        () => false,
        () => true,
      ),
    )
    gate.open.resolve()
    expect(await (await waiting).json()).toEqual({ waited: true })
    await stopped
  })

  test('disconnects requests that are not done by the deadline', async () => {
    gate.open = Promise.withResolvers()
    const { entered } = gate
    const second = await listening()
    const waiting = fetch(`${second.urls[0]}/wait`).then(
      () => 'answered',
      () => 'cut',
    )
    await until(() => gate.entered > entered)
    await second.stop(10)
    expect(await waiting).toBe('cut')
    gate.open.resolve()
  })
})

describe('a port that is in use', () => {
  const holders: [who: string, answers: Record<string, unknown>][] = [
    [
      'another Local Dictation',
      { '/health': { status: 'healthy', service: 'local-dictation', model_loaded: true } },
    ],
    ['Voicebox', { '/': { message: 'voicebox API', version: '1' }, '/health': { status: 'healthy' } }],
    ['Voicebox', { '/health': { status: 'healthy', model_loaded: false, gpu_available: true } }],
    ['another program', {}],
  ]
  for (const [who, answers] of holders) {
    test(`is reported with ${who} as its holder (${Object.keys(answers).join(' ')})`, async () => {
      using holder = Bun.serve({
        hostname: '127.0.0.1',
        port: 0,
        reusePort: false,
        fetch: (request) => {
          const answer = answers[new URL(request.url).pathname]
          return answer ? Response.json(answer) : new Response('?', { status: 404 })
        },
      })
      const started = await listen({ port: holder.port! })
      expect(started).toEqual({
        ok: false,
        failure: {
          code: 'port_in_use',
          message: `Port ${holder.port} is already in use by ${who}. Stop it, or set PORT to another port.`,
        },
      })
    })
  }

  test('is reported for another Local Dictation, too', async () => {
    expect(await listen({ port })).toMatchObject({ ok: false, failure: { code: 'port_in_use' } })
  })
})

function send(bytes: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.write(bytes)
      resolve(socket)
    })
    socket.on('error', reject)
  })
}
