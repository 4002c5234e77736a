// A client of the server's public API that retries while the server restarts.

import { setTimeout as sleep } from 'node:timers/promises'
import { type EventSourceMessage, EventSourceParserStream } from 'eventsource-parser/stream'
import type { ApiRequest } from '../../mcp/api.ts'
import { EXIT } from '../terminal/exit.ts'
import { CommandFailure } from '../terminal/failure.ts'
import type { CheckHolder } from './holder.ts'

/** The server refused a request, with its own message; or it is unreachable. */
export class ServerFailure extends CommandFailure {
  /**
   * @param code the problem code; `unreachable` if no program responds, `untrusted_server` if the program is another
   * user's
   */
  constructor(code: string, message: string, { hint, cause }: { hint?: string; cause?: unknown } = {}) {
    super(message, { code, exitCode: exitCodeOf(code), cause, hint: hint ?? null })
  }
}

function exitCodeOf(code: string): number {
  if (code === 'unauthorized') return EXIT.token
  return code === 'not_found' || code.endsWith('_not_found') ? EXIT.notFound : EXIT.server
}

/** Aborting the signal ends the request, its retries and its events. */
export type ServerRequest = ApiRequest & { headers?: Record<string, string> }

/**
 * Fails at once if no server has ever responded. After a first response, it retries while the server is away or asks to
 * wait (429, 503 with Retry-After), until the patience ends. Requests must therefore be idempotent.
 */
export type ServerClient = {
  /** Where the server is; starts one if necessary. */
  address(): Promise<string>
  /** The response with any status, for everything that is not JSON. @throws ServerFailure if there is none */
  send(method: string, path: string, request?: ServerRequest): Promise<Response>
  /** The JSON of the response. @throws ServerFailure */
  request<T>(method: string, path: string, request?: ServerRequest): Promise<T>
  /**
   * Server-sent events, as they arrive.
   * @throws ServerFailure; if the response is cut off, its code is `broken_off`
   */
  events(method: string, path: string, request?: ServerRequest): AsyncIterable<EventSourceMessage>
  /** An open WebSocket; a single attempt. @throws ServerFailure */
  socket(path: string): Promise<WebSocket>
}

export type Waiting = { reason: 'away' | 'busy'; waitedSeconds: number; patienceSeconds: number }

export type ServerConnection = {
  url: string
  /** called for each request: a server that starts while we wait may create one */
  token: () => Promise<string | null>
  /** called before each request: the port may pass to another program meanwhile */
  checkHolder: CheckHolder
}

export type ServerClientOptions = {
  /** called at the first request, and again after a failure: it may start a server */
  connect: () => Promise<ServerConnection>
  patienceSeconds: number
  /** whether to connect again when the server is away, for a process that outlives it; otherwise waits at its address */
  reconnects?: boolean
  /** called at the beginning of each pause */
  onWaiting: (waiting: Waiting) => void
}

const PAUSE_MS = 1000

const noServerAt = (url: string): ServerFailure =>
  new ServerFailure('unreachable', `No server responds at ${url}.`, {
    hint: 'Start it there, or omit --server and DICTATION_URL to let this command start one.',
  })

export function createServerClient({
  connect,
  patienceSeconds,
  reconnects = false,
  onWaiting,
}: ServerClientOptions): ServerClient {
  let hasAnswered = false
  let connection: Promise<ServerConnection> | null = null
  let lastUrl = ''

  async function connected(): Promise<ServerConnection> {
    connection ??= connect()
    const attempt = connection
    try {
      return await attempt
    } catch (error) {
      // The next request may succeed: the cause may be gone.
      if (connection === attempt) connection = null
      throw error
    }
  }

  async function trusted(): Promise<ServerConnection> {
    const found = await connected()
    const fault = await found.checkHolder()
    if (fault !== null) throw new ServerFailure('untrusted_server', fault)
    return found
  }

  async function reach(): Promise<{ url: string; authorization: { authorization?: string } }> {
    const { url, token } = await trusted().catch((error) => {
      // Without a connection, it was not possible to start a server.
      if (!reconnects || connection === null) throw error
      connection = null
      return trusted()
    })
    lastUrl = url
    const sent = await token()
    return { url, authorization: sent === null ? {} : { authorization: `Bearer ${sent}` } }
  }

  type Sent = Pick<ServerRequest, 'type' | 'headers' | 'signal'> & { body: BodyInit | null }

  async function once(method: string, path: string, { body, type, headers: further, signal }: Sent) {
    const { url, authorization } = await reach()
    const headers = { ...authorization, ...(type !== undefined && { 'content-type': type }), ...further }
    try {
      const response = await fetch(new URL(path, url), {
        method,
        headers,
        ...(body !== null && { body }),
        ...(signal && { signal }),
      })
      hasAnswered = true
      return response
    } catch {
      signal?.throwIfAborted()
      if (reconnects) connection = null
      return null
    }
  }

  async function patiently(
    method: string,
    path: string,
    { json, body, type, headers = {}, signal }: ServerRequest,
  ): Promise<Response> {
    const begun = Date.now()
    const until = begun + patienceSeconds * 1000
    for (;;) {
      const sent =
        json === undefined
          ? { body: body?.() ?? null, ...(type !== undefined && { type }) }
          : { body: JSON.stringify(json), type: 'application/json' }
      const response = await once(method, path, { ...sent, headers, ...(signal && { signal }) })
      const pauseMs = response === null ? PAUSE_MS : pauseOf(response)
      if (response !== null && (pauseMs === null || Date.now() + pauseMs > until)) return response
      if (response === null && (!hasAnswered || Date.now() >= until)) throw noServerAt(lastUrl)
      const waitedSeconds = Math.round((Date.now() - begun) / 1000)
      onWaiting({ reason: response === null ? 'away' : 'busy', waitedSeconds, patienceSeconds })
      await response?.body?.cancel()
      await sleep(pauseMs ?? PAUSE_MS, undefined, signal ? { signal } : {})
    }
  }

  return {
    async socket(path) {
      const { url, authorization } = await reach()
      return openSocket(new URL(path, url), authorization)
    },
    async address() {
      return (await connected()).url
    },
    send: (method, path, request = {}) => patiently(method, path, request),
    request: async (method, path, request = {}) => answerOf(await patiently(method, path, request)),
    async *events(method, path, request = {}) {
      const response = await patiently(method, path, request)
      if (!response.ok || response.body === null) throw await failureOf(response)
      const text = response.body.pipeThrough(new TextDecoderStream())
      try {
        yield* text.pipeThrough(new EventSourceParserStream())
      } catch (error) {
        throw brokenOff({ cause: error })
      }
    },
  }
}

/** Bun's WebSocket takes headers, unlike a browser's. */
const SocketWithHeaders = WebSocket as unknown as new (
  url: URL,
  options: { headers: Record<string, string> },
) => WebSocket

function openSocket(url: URL, headers: Record<string, string>): Promise<WebSocket> {
  const address = new URL(url)
  address.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:'
  const socket = new SocketWithHeaders(address, { headers })
  return new Promise((resolve, reject) => {
    socket.onopen = () => resolve(socket)
    socket.onclose = () =>
      reject(new ServerFailure('unreachable', `The server at ${url.host} opened no live socket.`))
  })
}

/** Also for a response that ends too early, which only its reader can detect. */
export const brokenOff = (options?: { cause: unknown }): ServerFailure =>
  new ServerFailure('broken_off', 'The response of the server was cut off.', options)

/** How long to wait before a retry; null if waiting would not help. */
function pauseOf({ status, headers }: Response): number | null {
  const seconds = Number(headers.get('retry-after') ?? Number.NaN)
  return (status === 429 || status === 503) && seconds >= 0 ? seconds * 1000 : null
}

async function answerOf<T>(response: Response): Promise<T> {
  if (!response.ok) throw await failureOf(response)
  try {
    return (await response.json()) as T
  } catch {
    throw await failureOf(response)
  }
}

export async function failureOf(response: Response): Promise<ServerFailure> {
  const problem = response.bodyUsed ? null : await response.json().catch(() => null)
  const { code = 'unexpected_answer', detail } = (problem ?? {}) as { code?: string; detail?: string }
  return new ServerFailure(code, detail ?? `The server returned ${response.status}.`)
}
