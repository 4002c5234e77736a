// Listens on loopback: sockets, WebSockets, timeouts and stopping. The only file under http/ that calls Bun.serve.

import type { Server, ServerWebSocket, WebSocketHandler } from 'bun'
import { fail, type Result, succeed } from '../../lib/result.ts'
import { openSocketOwners, type SocketOwners } from '../../lib/socket-owner.ts'
import type { Connection, Socket, SocketListener } from '../kernel/connection.ts'
import { problemResponse } from '../kernel/problem.ts'
import { ownNames, SERVICE_NAME, urlHost } from './origins.ts'

/**
 * Above the limit of every route (15 MiB of audio in base64), so that the route can report it: above this one Bun closes
 * the socket with 1009 and without our message.
 */
const MAX_FRAME_BYTES = 24 * 1024 ** 2
/** A safety net for listeners that do not check `unsentBytes`: a client that does not read cannot grow the memory. */
const MAX_UNSENT_BYTES = 1024 ** 2
/** Bun pings an idle client and disconnects it if it does not respond. */
const SOCKET_IDLE_SECONDS = 120

/** RFC 6455, section 7.4.1: never sent, it means a connection that was lost. */
const BROKEN = 1006

const socketHandler: WebSocketHandler<SocketListener> = {
  maxPayloadLength: MAX_FRAME_BYTES,
  backpressureLimit: MAX_UNSENT_BYTES,
  closeOnBackpressureLimit: true,
  idleTimeout: SOCKET_IDLE_SECONDS,
  sendPings: true,
  // Sent messages are short and received audio does not compress, so compression would only cost memory.
  perMessageDeflate: false,
  open: (ws) => ws.data.opened(socketOf(ws)),
  message: (ws, message) => ws.data.received(message),
  close: (ws, code) => ws.data.closed(code === BROKEN ? 'broken' : 'in order'),
}

const socketOf = (ws: ServerWebSocket<SocketListener>): Socket => ({
  send: (text) => void ws.send(text),
  unsentBytes: () => ws.getBufferedAmount(),
  close: (code, reason) => ws.close(code, reason),
  cut: () => ws.terminate(),
})

export type ServeOptions = {
  fetch: (request: Request, connection: Connection) => Promise<Response>
  /** loopback addresses; at least one must be available, ::1 may be missing on a machine without IPv6 */
  hostnames: readonly string[]
  /** 0 picks a free port */
  port: number
  /** how long a client may send nothing while its request is still arriving; at most 255 */
  idleSeconds?: number
  /** called for errors outside `fetch`, which never throws */
  onError: (error: unknown) => void
}

export type HttpListener = {
  port: number
  /** the available addresses, such as `http://127.0.0.1:17493` */
  urls: string[]
  /** whether the system reports the user of a client program */
  knowsUsers: boolean
  /**
   * Rejects new connections at once and waits for the requests in flight; those that have not ended after `deadlineMs`
   * are disconnected. Event streams must be ended by their own signal before.
   */
  stop(deadlineMs: number): Promise<void>
}

export type ServeFailure = { code: 'port_in_use' | 'cannot_listen'; message: string }

const IDLE_SECONDS = 60

/** Far above our own limits: Bun's 413 has no body and closes the connection (measured). */
const MAX_BODY_BYTES = Number.MAX_SAFE_INTEGER

/** Starts listening. If the port is in use, the failure names the program that uses it. */
export async function serve(options: ServeOptions): Promise<Result<HttpListener, ServeFailure>> {
  const listeners: Listener[] = []
  let port = options.port
  for (const hostname of options.hostnames) {
    try {
      const listener = listen(hostname, port, options)
      listeners.push(listener)
      // The second address uses the port that the first one got.
      port = listener.server.port ?? port
    } catch (error) {
      if (isMissingAddress(error) && options.hostnames.length > 1) continue
      await stopAll(listeners, 0)
      return fail(await describeFailure(error, hostname, port))
    }
  }
  if (listeners.length === 0)
    return fail({ code: 'cannot_listen', message: 'No loopback address is available.' })
  return succeed({
    port,
    urls: listeners.map(({ server }) => `http://${urlHost(server.hostname ?? '')}:${port}`),
    knowsUsers: listeners.every(({ owners }) => owners !== null),
    stop: (deadlineMs) => stopAll(listeners, deadlineMs),
  })
}

/** Checks that serve can get its port on every address, before the slow parts of a start. */
export async function checkPort(
  address: Pick<ServeOptions, 'hostnames' | 'port'>,
): Promise<Result<void, ServeFailure>> {
  if (address.port === 0) return succeed(undefined)
  const fetch = async () => new Response(null, { status: 503, headers: { 'retry-after': '1' } })
  const listening = await serve({ ...address, fetch, onError: () => {} })
  if (!listening.ok) return listening
  await listening.value.stop(0)
  return succeed(undefined)
}

function listen(hostname: string, port: number, options: ServeOptions): Listener {
  const { fetch, hostnames, idleSeconds = IDLE_SECONDS, onError } = options
  const names = ownNames(hostnames)
  const ours = () => ({ address: hostname, port: server.port ?? port })
  const server = Bun.serve<SocketListener>({
    hostname,
    port,
    // Always off: the error page would show our source.
    development: false,
    // Without development mode Bun 1.4.5 silently lets several processes share a port.
    reusePort: false,
    idleTimeout: idleSeconds,
    maxRequestBodySize: MAX_BODY_BYTES,
    websocket: socketHandler,
    async fetch(request, server) {
      let isUpgraded = false
      const peer = server.requestIP(request)
      const response = await fetch(request, {
        peer: peer?.address ?? null,
        user: () => (owners === null ? 'unknown' : peer && owners.ownerOf(peer, ours())),
        port: server.port ?? port,
        names,
        requestIsWhole: () => server.timeout(request, 0),
        mayPause: () => server.timeout(request, 0),
        upgrade(listener, protocol) {
          const headers = protocol === null ? {} : { 'sec-websocket-protocol': protocol }
          isUpgraded = request.method === 'GET' && server.upgrade(request, { data: listener, headers })
          return isUpgraded
        },
      })
      if (isUpgraded) return undefined
      // A connection that is idle after its response may time out again. Streams may pause for longer than that, and
      // their writes do not count as activity (measured).
      if (isSentAtOnce(response)) server.timeout(request, idleSeconds)
      return response
    },
    error(error) {
      onError(error)
      return problemResponse({ code: 'internal_error', detail: 'The server failed to respond; see its log.' })
    },
  })
  const owners = openSocketOwners(ours())
  return { server, owners }
}

type Listener = { server: Server<SocketListener>; owners: SocketOwners | null }

const isSentAtOnce = (response: Response): boolean =>
  response.body === null || /json/.test(response.headers.get('content-type') ?? '')

async function stopAll(listeners: Listener[], deadlineMs: number): Promise<void> {
  const servers = listeners.map(({ server }) => server)
  const { promise: deadline, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, deadlineMs)
  await Promise.race([Promise.all(servers.map((server) => server.stop())), deadline])
  clearTimeout(timer)
  await Promise.all(servers.map((server) => server.stop(true)))
  for (const { owners } of listeners) owners?.close()
}

export const isMissingAddress = (error: unknown): boolean =>
  ['EADDRNOTAVAIL', 'EAFNOSUPPORT'].includes((error as NodeJS.ErrnoException).code ?? '')

async function describeFailure(error: unknown, hostname: string, port: number): Promise<ServeFailure> {
  const { code, message } = error as NodeJS.ErrnoException
  if (code !== 'EADDRINUSE') {
    return { code: 'cannot_listen', message: `Cannot listen on ${urlHost(hostname)}:${port}: ${message}` }
  }
  const holder = await identifyHolder(`http://${urlHost(hostname)}:${port}`)
  return {
    code: 'port_in_use',
    message: `Port ${port} is already in use by ${holder}. Stop it, or set PORT to another port.`,
  }
}

/** Identifies the program on the port by its responses; Voicebox uses the same port. */
async function identifyHolder(url: string): Promise<string> {
  const health = await getJson(`${url}/health`)
  if (health?.service === SERVICE_NAME) return 'another Local Dictation'
  const root = await getJson(`${url}/`)
  if (root?.message === 'voicebox API') return 'Voicebox'
  if (typeof health?.model_loaded === 'boolean' && health.service === undefined) return 'Voicebox'
  return 'another program'
}

async function getJson(url: string): Promise<Record<string, unknown> | null> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(1000), redirect: 'error' })
    const value: unknown = await response.json()
    return value !== null && typeof value === 'object' ? (value as Record<string, unknown>) : null
  } catch {
    return null
  }
}
