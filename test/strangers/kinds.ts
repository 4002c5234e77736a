// Builds the bytes of requests from foreign web pages, under foreign names and by other users' programs.

export type Operation = { method: string; path: string }

export type Kind = {
  what: string
  /** each returns a request for the operation, as bytes */
  forms: ((operation: Operation) => string)[]
}

type Parts = { target?: string; method?: string; headers: string[] }

const BODY = '{}'

function bytesOf({ method, path }: Operation, { target, headers, ...other }: Parts): string {
  const sent = other.method ?? method
  const hasBody = ['POST', 'PUT', 'PATCH'].includes(sent)
  const body = hasBody ? ['Content-Type: application/json', `Content-Length: ${BODY.length}`] : []
  const head = [`${sent} ${target ?? path} HTTP/1.1`, ...headers, ...body, 'Connection: close']
  return `${head.join('\r\n')}\r\n\r\n${hasBody ? BODY : ''}`
}

const withHeaders =
  (...headers: string[]) =>
  (operation: Operation) =>
    bytesOf(operation, { headers })

/** @param authorization the valid token if one is required: foreign requests are rejected even with it */
export function kindsOf(port: number, authorization: string | null): Kind[] {
  const own = `Host: localhost:${port}`
  const token = authorization === null ? [] : [`Authorization: ${authorization}`]
  const foreignHosts = [
    ...[`evil.test:${port}`, 'evil.test', `127.0.0.1.nip.io:${port}`, `localhost.evil:${port}`],
    ...[
      `localhost.:${port}`,
      `127.0.0.1.:${port}`,
      `localhost:${port + 1}`,
      'localhost',
      `localhost:0${port}`,
    ],
    ...[`2130706433:${port}`, `0177.0.0.1:${port}`, `0x7f.1:${port}`, `127.1:${port}`, `127.0.0.2:${port}`],
    ...[
      `0.0.0.0:${port}`,
      `::1:${port}`,
      `[::]:${port}`,
      `[::ffff:127.0.0.1]:${port}`,
      `192.168.0.1:${port}`,
    ],
    ...[`localhost@evil.test:${port}`, `localhost:${port}, evil.test`, `localhost:${port}/`, '', 'a b'],
  ]
  const origins = [
    ...['http://evil.test', `https://localhost:${port}`, `http://localhost:${port + 1}`, 'http://localhost'],
    ...[`http://localhost:${port}.evil.test`, `http://localhost:${port}/`, 'null', 'file://', ''],
    // Names that resolve to this computer, where any user may listen on their ports.
    ...['http://tauri.localhost', 'https://tauri.localhost', `http://tauri.localhost:${port}`],
    ...['http://127.0.0.1', 'http://[::1]', `http://evil.localhost:${port}`, 'http://ionic.localhost'],
    ...[`http://127.0.0.2:${port}`, `http://127.0.0.1:${port + 1}`, `http://[::1]:${port + 1}`],
  ]
  const sites = ['cross-site', 'same-site', 'elsewhere']
  const preflight = 'Access-Control-Request-Method: PUT'
  return [
    {
      what: 'a foreign Host: names, numbers, dots, other ports, credentials',
      forms: foreignHosts.map((host) => withHeaders(`Host: ${host}`, ...token)),
    },
    {
      what: 'no Host, two, and HTTP/1.0',
      forms: [
        withHeaders(...token),
        withHeaders(own, 'Host: evil.test', ...token),
        withHeaders('Host: evil.test', own, ...token),
        (operation) => withHeaders(...token)(operation).replace('HTTP/1.1', 'HTTP/1.0'),
      ],
    },
    {
      what: 'an absolute target, as for a proxy',
      forms: ['http://evil.test', `http://evil.test:${port}`, 'HTTPS://evil.test'].map(
        (server) => (operation) =>
          bytesOf(operation, {
            target: `${server}${operation.path}`,
            headers: [`Host: ${server.replace(/^.*\/\//, '')}`, ...token],
          }),
      ),
    },
    {
      what: 'a page of a foreign origin',
      forms: origins.map((origin) => withHeaders(own, `Origin: ${origin}`, ...token)),
    },
    {
      what: 'another site without Origin: images, frames, scripts',
      forms: sites.map((site) =>
        withHeaders(
          own,
          `Sec-Fetch-Site: ${site}`,
          'Sec-Fetch-Mode: no-cors',
          'Sec-Fetch-Dest: image',
          ...token,
        ),
      ),
    },
    {
      what: 'OPTIONS from a foreign origin or under a foreign name',
      forms: [
        [own, 'Origin: http://evil.test', preflight],
        [`Host: evil.test:${port}`, preflight],
      ].map(
        (headers) => (operation) =>
          bytesOf(operation, { method: 'OPTIONS', headers: [...headers, ...token] }),
      ),
    },
    {
      what: 'a WebSocket of a foreign origin or name',
      forms: [
        [own, 'Origin: http://evil.test'],
        [`Host: evil.test:${port}`, `Origin: http://evil.test:${port}`],
      ].map((headers) => {
        const upgrade = [
          'Upgrade: websocket',
          'Sec-WebSocket-Version: 13',
          'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
        ]
        return (operation) =>
          bytesOf(operation, { method: 'GET', headers: [...headers, ...upgrade, ...token] }).replace(
            'Connection: close',
            'Connection: Upgrade',
          )
      }),
    },
  ]
}

/** A program on this computer without the token, or of another user. */
export function plainCalls(port: number, authorizations: (string | null)[]): Kind['forms'] {
  const own = `Host: localhost:${port}`
  return authorizations.map((value) =>
    value === null
      ? withHeaders(own)
      : withHeaders(own, value.startsWith('Cookie') ? value : `Authorization: ${value}`),
  )
}

/** A secret that is valid only for the server's own user: in the header, as the former cookie, and in the address. */
export const secretCalls = (port: number, secret: string): Kind['forms'] => [
  ...plainCalls(port, [`Bearer ${secret}`, `Cookie: dictation_session=${secret}`]),
  (operation) =>
    withHeaders(`Host: localhost:${port}`)({ ...operation, path: `${operation.path}?ticket=${secret}` }),
]

/** A WebSocket upgrade with any method. */
export const socketCall =
  (port: number, ticket: string): Kind['forms'][number] =>
  (operation) =>
    withHeaders(
      `Host: localhost:${port}`,
      'Upgrade: websocket',
      'Connection: Upgrade',
    )({ ...operation, path: `${operation.path}?ticket=${ticket}` })

/** Names that may lead to other programs: the other loopback address, other ports of added names. */
export function nameCalls(port: number, addedName: string): Kind['forms'] {
  const host = `Host: 127.0.0.1:${port}`
  const hosts = [`localhost:${port}`, `[::1]:${port}`]
  const origins = [...hosts.map((one) => `http://${one}`), `http://${addedName}`, `http://${addedName}:8080`]
  return [
    ...hosts.map((one) => withHeaders(`Host: ${one}`)),
    ...hosts.map((one) => withHeaders(`Host: ${one}`, `Origin: http://${one}`)),
    ...origins.map((origin) => withHeaders(host, `Origin: ${origin}`)),
  ]
}

/** Requests of allowed pages that change where recordings, keys and models go. */
export function redirections(port: number, pages: readonly string[]): string[] {
  const settings = [
    { webhook_url: 'http://evil.test' },
    { llm_base_url: 'http://evil.test', trash_days: 3 },
    { llm_api_key_env: 'DICTATION_OTHER_KEY' },
    { engine_url: 'http://evil.test' },
    { engine_key_env: 'DICTATION_OTHER_KEY' },
    { model_base_url: 'http://evil.test' },
  ].map((change) => ({ method: 'PATCH', path: '/settings/captures', body: change as object }))
  const download = {
    method: 'POST',
    path: '/models/download',
    body: { model_name: 'evil/models/ggml-a.bin' },
  }
  return pages.flatMap((page) =>
    [...settings, ...settings.map((one) => ({ ...one, method: 'PUT' })), download].map(
      ({ method, path, body }) => {
        const text = JSON.stringify(body)
        const head = [
          ...[`${method} ${path} HTTP/1.1`, `Host: localhost:${port}`, `Origin: ${page}`],
          ...['Content-Type: application/json', `Content-Length: ${text.length}`, 'Connection: close'],
        ]
        return `${head.join('\r\n')}\r\n\r\n${text}`
      },
    ),
  )
}

/** Paths out of the served folders, sent by an allowed client: nothing must be found. */
export const pathsOutside = (port: number): string[] => {
  const up = ['../', '..%2f', '%2e%2e/', '%2e%2e%2f', '..\\', '..%5c', '%252e%252e%252f', '..;/', '....//']
  const roots = ['/docs/assets/', '/docs/page/', '/captures/', '/models/', '/docs/assets//']
  const wanted = ['etc/passwd', 'package.json', 'instance.json']
  const files = [
    '/docs/assets/%00',
    '/docs/assets//etc/passwd',
    '//etc/passwd',
    '/docs/assets/..%00/package.json',
  ]
  const targets = roots.flatMap((root) =>
    up.flatMap((step) => wanted.map((file) => root + step.repeat(6) + file)),
  )
  return [...targets, ...files].map((path) => withHeaders(`Host: localhost:${port}`)({ method: 'GET', path }))
}
