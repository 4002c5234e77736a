// Raw socket requests to the running server: false hosts, lengths and methods, floods, vanishing clients, and the token.
// Other socket tests, in one process, are in test/http/server/serve-sockets.test.ts.

import { afterAll, describe, expect, test } from 'bun:test'
import { readdir } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { type RunningServer, startServer } from '../support/server.ts'
import { until } from '../support/until.ts'
import { codeOf } from './contract/faults.ts'
import { formWith, silentWav } from './contract/recordings.ts'

const TOKEN = 'a-token-of-more-than-sixteen-letters'
const [server, locked] = await Promise.all([
  startServer({ env: { DICTATION_MAX_UPLOAD_MB: '1' } }),
  startServer({ env: { DICTATION_TOKEN: TOKEN } }),
])
afterAll(async () => {
  for (const one of [server, locked]) {
    expect(one.log().filter((entry) => ['error', 'fatal'].includes(String(entry.level)))).toEqual([])
    expect(await one.stop()).toBe(0)
  }
})

const port = Number(new URL(server.url).port)
const host = `Host: localhost:${port}\r\n`
const json = `${host}Content-Type: application/json\r\n`
const form = `POST /captures HTTP/1.1\r\n${host}Content-Type: multipart/form-data; boundary=b\r\n`
const wav = Buffer.from(await silentWav().arrayBuffer()).toString('latin1')
const beginning = `--b\r\nContent-Disposition: form-data; name="file"; filename="a.wav"\r\n\r\n${wav}`
const healthy = `GET /health HTTP/1.1\r\n${host}Connection: close\r\n\r\n`
const missingId = crypto.randomUUID()

type Line = {
  /** everything received so far */
  received(): string
  send(bytes: string): void
  closed: Promise<void>
  end(): void
}

function open(to: RunningServer = server): Promise<Line> {
  return new Promise((resolve, reject) => {
    let received = ''
    const { promise: closed, resolve: close } = Promise.withResolvers<void>()
    const socket: Socket = connect(Number(new URL(to.url).port), '127.0.0.1', () =>
      resolve({
        received: () => received,
        send: (bytes) => socket.write(Buffer.from(bytes, 'latin1')),
        closed,
        end: () => socket.destroy(),
      }),
    )
    socket.on('data', (chunk) => (received += chunk.toString('latin1')))
    socket.on('close', () => close())
    // A server that refuses may close the connection while the rest is being sent.
    socket.on('error', (error) => (socket.connecting ? reject(error) : close()))
  })
}

type Answer = { status: number; head: string; body: string }

/** The responses received so far; the last one may be incomplete. */
function answersIn(received: string, bodiless = false): Answer[] {
  const answers: Answer[] = []
  for (let rest = received; rest !== ''; ) {
    const end = rest.indexOf('\r\n\r\n')
    if (end < 0) break
    const head = rest.slice(0, end)
    const length = bodiless ? 0 : Number(/^content-length: (\d+)$/im.exec(head)?.[1] ?? 0)
    if (rest.length < end + 4 + length) break
    const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1])
    if (status !== 100) answers.push({ status, head, body: rest.slice(end + 4, end + 4 + length) })
    rest = rest.slice(end + 4 + length)
  }
  return answers
}

/** Sends bytes and returns the first response. */
async function exchange(sent: string, to: RunningServer = server): Promise<Answer> {
  const line = await open(to)
  line.send(sent)
  const answer = await until(() => answersIn(line.received())[0], {
    what: () => `an answer to ${sent.slice(0, 80)}; there came ${line.received()}`,
  })
  line.end()
  return answer
}

const kept = async () => [
  ...(await readdir(join(server.dataFolder, 'inbox'))),
  ...(await (await fetch(`${server.url}/captures`)).json()).items,
]

const get = (path: string, head: string) => `GET ${path} HTTP/1.1\r\n${head}\r\n`
const chunked = (head: string, body: string) =>
  `${head}Transfer-Encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`
const sized = (head: string, body: string) => `${head}Content-Length: ${body.length}\r\n\r\n${body}`
const patch = `PATCH /captures/${missingId} HTTP/1.1\r\n${json}`

const REFUSED: [what: string, sent: string, status: number, code?: string][] = [
  ['no Host', get('/health', ''), 400],
  ['two Hosts', get('/health', `${host}${host}`), 403, 'host_not_allowed'],
  ['a foreign Host', get('/health', `Host: evil.test:${port}\r\n`), 403, 'host_not_allowed'],
  ['a Host with a dot at its end', get('/health', `Host: localhost.:${port}\r\n`), 403, 'host_not_allowed'],
  ['a Host without the port', get('/health', 'Host: localhost\r\n'), 403, 'host_not_allowed'],
  ['a Host of another port', get('/health', `Host: localhost:${port ^ 1}\r\n`), 403, 'host_not_allowed'],
  ['a Host with a user', get('/health', `Host: a@localhost:${port}\r\n`), 403, 'host_not_allowed'],
  [
    'a Host that is our own in decimals',
    get('/health', `Host: 2130706433:${port}\r\n`),
    403,
    'host_not_allowed',
  ],
  ['a foreign Host beside a whole address of ours', get(`${server.url}/health`, 'Host: evil.test\r\n'), 403],
  ['a path of two slashes', get('//captures', host), 404, 'no_such_route'],
  ['a path that climbs', get('/docs/assets/../../../package.json', host), 404, 'no_such_route'],
  ['a path that climbs unseen', get('/docs/assets/..%2f..%2fpackage.json', host), 404],
  ['CONNECT', `CONNECT localhost:${port} HTTP/1.1\r\n${host}\r\n`, 404, 'no_such_route'],
  [
    'an upgrade to a WebSocket, which it has none of',
    get(
      '/socket',
      `${host}Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n`,
    ),
    404,
    'no_such_route',
  ],
  ['heads without end', get('/health', `${host}${`X-Flood: ${'x'.repeat(4000)}\r\n`.repeat(100)}`), 431],
  ['an address without end', get(`/captures?q=${'x'.repeat(200_000)}`, host), 431],
  ['a length beside chunks', chunked(`${patch}Content-Length: 4\r\n`, '{}'), 400],
  ['two lengths', `${patch}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}}`, 400],
  ['a length that is no number', `${patch}Content-Length: 2, 2\r\n\r\n{}`, 400],
  [
    'chunks of a coding it does not know',
    `${patch}Transfer-Encoding: gzip, chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`,
    400,
  ],
  ['a chunk of no size', `${patch}Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n`, 400],
  ['JSON that is not UTF-8', sized(patch, '{"title":"\xff\xfe"}'), 400, 'malformed_json'],
  ['JSON in UTF-16', sized(patch, '\xff\xfe{\0}\0'), 400, 'malformed_json'],
  ['a key named __proto__', sized(patch, '{"__proto__":{"starred":true}}'), 422, 'invalid_request'],
  ['a key named constructor', sized(patch, '{"constructor":{"prototype":1}}'), 422, 'invalid_request'],
  ['JSON nested without end', sized(patch, `${'['.repeat(200_000)}`), 400, 'malformed_json'],
  [
    'JSON nested deeply',
    sized(patch, `{"title":${'['.repeat(5000)}${']'.repeat(5000)}}`),
    422,
    'invalid_request',
  ],
  ['JSON declared too large', `${patch}Content-Length: 99999999\r\n\r\n{`, 413, 'body_too_large'],
  ['JSON counted too large', chunked(patch, `{"title":"${'x'.repeat(1_100_000)}"}`), 413, 'body_too_large'],
  ['a recording declared too large', `${form}Content-Length: 99999999\r\n\r\n`, 413, 'file_too_large'],
  [
    'a recording declared too large, before the server continues',
    `${form}Expect: 100-continue\r\nContent-Length: 99999999\r\n\r\n`,
    413,
    'file_too_large',
  ],
  ['a recording counted too large', chunked(form, beginning + '\0'.repeat(3_000_000)), 413, 'file_too_large'],
]

describe('refuses', () => {
  for (const [what, sent, status, code] of REFUSED) {
    test(what, async () => {
      const answer = await exchange(sent)
      expect(answer.status, answer.body).toBe(status)
      if (code) expect(JSON.parse(answer.body)).toMatchObject({ status, code })
      expect(answer.head + answer.body).not.toMatch(/\.ts\b|node_modules|<html|websocket/i)
    })
  }

  test('a second request smuggled behind a refused one', async () => {
    const line = await open()
    line.send(chunked(`${patch}Content-Length: 4\r\n`, '{}') + healthy)
    await line.closed
    expect(answersIn(line.received()).map(({ status }) => status)).toEqual([400])
  })

  test('to store anything of this', async () => {
    await until(async () => (await kept()).length === 0, { what: 'the inbox to be empty' })
  })
})

describe('a client that vanishes during an upload', () => {
  const uploads: [how: string, head: string][] = [
    ['after a length', `${form}Content-Length: 500000\r\n\r\n${beginning}`],
    ['within a chunk', `${form}Transfer-Encoding: chunked\r\n\r\nfffff\r\n${beginning}`],
  ]
  for (const [how, sent] of uploads) {
    test(`leaves nothing behind: ${how}`, async () => {
      const line = await open()
      line.send(sent)
      const inbox = () => readdir(join(server.dataFolder, 'inbox'))
      await until(async () => (await inbox()).length === 1, { what: 'the file to begin' })
      line.end()
      await until(async () => (await inbox()).length === 0, { what: 'the file to go' })
      expect((await exchange(healthy)).status).toBe(200)
      expect(await kept()).toEqual([])
    })
  }
})

describe('a connection', () => {
  test('stays open after a refusal that read its whole request', async () => {
    const line = await open()
    const asks: [sent: string, status: number][] = [
      [get('/captures?limit=0', host), 422],
      [sized(patch, '{'), 400],
      [sized(patch, '{"starred":true}'), 404],
      [`PUT /captures HTTP/1.1\r\n${host}\r\n`, 405],
      [get('/nowhere', host), 404],
      [get('/health', host), 200],
    ]
    for (const [at, [sent]] of asks.entries()) {
      line.send(sent)
      await until(() => answersIn(line.received()).length > at, { what: sent })
    }
    expect(answersIn(line.received()).map(({ status }) => status)).toEqual(asks.map(([, status]) => status))
    line.end()
  })

  test('is served by Host and path if the request target is absolute, whatever host that names', async () => {
    for (const address of [server.url, 'http://evil.test', 'https://localhost:1']) {
      expect((await exchange(get(`${address}/health`, host))).status).toBe(200)
      expect((await exchange(get(`${address}/nowhere?/health`, host))).status).toBe(404)
    }
  })

  test('returns the head of GET without a body for HEAD', async () => {
    for (const path of ['/health/filesystem', '/docs', '/docs/json', '/captures', `/captures/${missingId}`]) {
      const line = await open()
      line.send(`HEAD ${path} HTTP/1.1\r\n${host}Connection: close\r\n\r\n`)
      await line.closed
      const { status, head } = answersIn(line.received(), true)[0]!
      const whole = await exchange(get(path, host))
      expect([path, status]).toEqual([path, whole.status])
      expect(line.received()).toEndWith('\r\n\r\n')
      const length = /(?<=^content-length: ).*$/im
      if (path !== '/health/filesystem') expect(head.match(length)?.[0]).toBe(whole.head.match(length)![0])
    }
  })

  test('is served while 200 others are slow', async () => {
    const slow = await Promise.all(Array.from({ length: 200 }, () => open()))
    for (const [at, line] of slow.entries()) {
      line.send(at % 2 ? 'GET /captures HTTP/1.1\r\nHo' : `${form}Content-Length: 500000\r\n\r\n--b\r\nConte`)
    }
    expect((await exchange(healthy)).status).toBe(200)
    for (const line of slow) line.end()
    expect(await kept()).toEqual([])
  })
})

/** Open routes with their expected statuses; the one that takes the token rejects an invalid one. */
const OPEN: Record<string, number> = {
  ...{ 'GET /': 200, 'GET /health': 200, 'GET /docs': 200 },
  ...{ 'GET /docs/json': 200, 'GET /openapi.json': 200 },
  ...{ 'POST /session': 401, 'DELETE /session': 204 },
}

describe('with a token', () => {
  const lockedHost = `Host: localhost:${new URL(locked.url).port}\r\n`

  test('refuses clients without a valid token on every route except the open ones', async () => {
    const authorized = { headers: { authorization: `Bearer ${TOKEN}` } }
    const { paths } = await (await fetch(`${locked.url}/docs/json`, authorized)).json()
    const operations = Object.entries<Record<string, { security?: unknown[] }>>(paths).flatMap(
      ([path, methods]) =>
        Object.entries(methods).map(([method, { security }]) => ({
          path,
          method: method.toUpperCase(),
          security,
        })),
    )
    const open = operations.filter(({ security }) => security?.length === 0)
    expect(open.map(({ method, path }) => `${method} ${path}`).toSorted()).toEqual(
      Object.keys(OPEN).toSorted(),
    )
    for (const { path, method } of operations) {
      for (const authorization of [
        '',
        'Bearer',
        'Bearer x',
        `Bearer ${TOKEN}x`,
        `Basic ${btoa(`a:${TOKEN}`)}`,
        TOKEN,
      ]) {
        const response = await fetch(locked.url + path.replaceAll(/\{\w+\}/g, missingId), {
          method,
          headers: { authorization },
        })
        const label = `${method} ${path} with "${authorization}"`
        expect(response.status, label).toBe(OPEN[`${method} ${path}`] ?? 401)
        if (response.status !== 401) continue
        expect(response.headers.get('www-authenticate'), label).toBe('Bearer')
        expect(codeOf({ json: await response.json() }), label).toBe('unauthorized')
      }
    }
  })

  test('refuses before it reveals what exists', async () => {
    const paths = ['/nowhere', '/docsx', '//health', '/captures/', '/HEALTH', '/captures?/health']
    for (const path of paths) {
      expect((await exchange(get(path, lockedHost), locked)).status, path).toBe(401)
    }
    for (const method of ['PUT', 'OPTIONS', 'TRACE']) {
      const { status } = await exchange(`${method} /captures HTTP/1.1\r\n${lockedHost}\r\n`, locked)
      expect(status, method).toBe(401)
    }
  })

  test('refuses an upload without reading it', async () => {
    const head = form.replace(host, lockedHost)
    const answer = await exchange(`${head}Content-Length: 99999999\r\n\r\n`, locked)
    expect([answer.status, /connection: close/i.test(answer.head)]).toEqual([401, true])
  })

  test('accepts clients with the token', async () => {
    const headers = { authorization: `Bearer ${TOKEN}` }
    const response = await fetch(`${locked.url}/captures`, { method: 'POST', headers, body: formWith([]) })
    expect([response.status, (await response.json()).status]).toEqual([201, 'completed'])
  }, 180_000)
})
