// Listens on loopback for the Wyoming protocol: which programs may connect, how many, and how connections end.

import { createServer, type Server, type Socket } from 'node:net'
import { type Problem, SHUTTING_DOWN } from '../http/kernel/problem.ts'
import { checkPeer, checkUser, type Users } from '../http/server/guard.ts'
import { urlHost } from '../http/server/origins.ts'
import { internalError } from '../http/server/router.ts'
import { isMissingAddress, type ServeFailure } from '../http/server/serve.ts'
import type { Log } from '../lib/log.ts'
import { fail, type Result, succeed } from '../lib/result.ts'
import { pause } from '../lib/retry.ts'
import { openSocketOwners, type SocketOwners } from '../lib/socket-owner.ts'
import { encodeEvent } from './wyoming-frames.ts'
import { errorEventOf, type WyomingSession } from './wyoming-session.ts'

export type WyomingListenerOptions = {
  /** loopback addresses; at least one must be available, ::1 may be missing on a machine without IPv6 */
  hostnames: readonly string[]
  /** 0 picks a free port */
  port: number
  /** whose programs may connect */
  users: Users
  /** null: the server is stopping */
  openSession: () => Promise<WyomingSession | null>
  log: Log
  /** set by tests */
  openOwners?: typeof openSocketOwners
}

export type WyomingListener = {
  /** the available addresses, such as `tcp://127.0.0.1:10300` */
  urls: string[]
  /** rejects new connections at once; disconnects those that have not ended after `deadlineMs` */
  stop(deadlineMs: number): Promise<void>
}

/** Home Assistant opens one for each command. Each may hold an event of four megabytes. */
const MAX_CONNECTIONS = 32
/** Rejected connections that have not closed yet count too; beyond this, they are closed without an error event. */
const MAX_SOCKETS = 2 * MAX_CONNECTIONS
/** Lets a rejected client read the error event. */
const PARTING_MS = 1000

const CONNECTIONS_FULL: Problem = {
  code: 'queue_full',
  detail: `All ${MAX_CONNECTIONS} connections are in use. Close one and try again.`,
}

/** The protocol has no token that could take the place of the check. */
const OPEN_TO_ALL: ServeFailure = {
  code: 'cannot_listen',
  message:
    'This system does not report whose program connects, so every user of this computer could use the port of DICTATION_WYOMING. To allow that, set DICTATION_USERS=any.',
}

type Connections = { open: Set<Socket>; rejected: Set<Socket> }

/** The failure is one line for the user. */
export async function listenForWyoming(
  options: WyomingListenerOptions,
): Promise<Result<WyomingListener, ServeFailure>> {
  const { hostnames, users, openOwners = openSocketOwners } = options
  const connections: Connections = { open: new Set(), rejected: new Set() }
  const servers: Server[] = []
  const owners: (SocketOwners | null)[] = []
  const urls: string[] = []
  const stop = (deadlineMs: number) => stopAll(servers, connections, deadlineMs).finally(closeOwners)
  const closeOwners = () => {
    for (const one of owners) one?.close()
  }
  let { port } = options
  for (const hostname of hostnames) {
    const server = createServer((socket) => admit(socket, { ...options, owners: own, connections }))
    let own: SocketOwners | null = null
    const error = await listening(server, hostname, port)
    if (error !== null && isMissingAddress(error) && hostnames.length > 1) continue
    if (error !== null) {
      await stop(0)
      return fail(failureOf(error, hostname, port))
    }
    servers.push(server)
    // The second address uses the port that the first one got.
    port = (server.address() as { port: number }).port
    own = openOwners({ address: hostname, port })
    owners.push(own)
    if (own === null && users !== 'any') {
      await stop(0)
      return fail(OPEN_TO_ALL)
    }
    urls.push(`tcp://${urlHost(hostname)}:${port}`)
  }
  if (urls.length === 0)
    return fail({ code: 'cannot_listen', message: 'No loopback address is available for DICTATION_WYOMING.' })
  return succeed({ urls, stop })
}

/** Checks that listenForWyoming can get its port on every address, before the slow parts of a start. */
export async function checkWyomingPort(
  options: Pick<WyomingListenerOptions, 'hostnames' | 'port' | 'users' | 'log'>,
): Promise<Result<void, ServeFailure>> {
  const listening = await listenForWyoming({ ...options, openSession: async () => null })
  if (!listening.ok) return listening
  await listening.value.stop(0)
  return succeed(undefined)
}

function listening(server: Server, host: string, port: number): Promise<NodeJS.ErrnoException | null> {
  const { promise, resolve } = Promise.withResolvers<NodeJS.ErrnoException | null>()
  server.once('error', resolve)
  server.listen({ host, port, exclusive: true }, () => resolve(null))
  return promise
}

function failureOf(error: NodeJS.ErrnoException, hostname: string, port: number): ServeFailure {
  if (error.code !== 'EADDRINUSE')
    return {
      code: 'cannot_listen',
      message: `Cannot listen on ${urlHost(hostname)}:${port}: ${error.message}`,
    }
  const message = `Port ${port} is already in use. Stop the program that uses it, or set DICTATION_WYOMING to another port.`
  return { code: 'port_in_use', message }
}

type Admission = WyomingListenerOptions & { owners: SocketOwners | null; connections: Connections }

function admit(socket: Socket, admission: Admission): void {
  const { users, owners, connections, log } = admission
  const { open, rejected } = connections
  // A lost connection; `close` follows.
  socket.on('error', () => {})
  if (open.size + rejected.size >= MAX_SOCKETS) {
    socket.destroy()
    return
  }
  const refusal =
    checkPeer({ peer: socket.remoteAddress ?? null }) ??
    (users === 'any' ? null : checkUser({ user: () => userOf(socket, owners) })) ??
    (open.size < MAX_CONNECTIONS ? null : CONNECTIONS_FULL)
  if (refusal) log.info({ code: refusal.code }, 'rejected a Wyoming connection')
  if (refusal) reject(socket, rejected, refusal)
  else accept(socket, admission)
}

function accept(socket: Socket, { connections, openSession, log }: Admission): void {
  const { open, rejected } = connections
  open.add(socket)
  socket.on('close', () => open.delete(socket))
  openSession().then(
    (session) => {
      if (session === null) reject(socket, rejected, SHUTTING_DOWN)
      else if (socket.destroyed) session.closed('broken')
      else connect(socket, session)
    },
    (error) => reject(socket, rejected, internalError(error, log)),
  )
}

/** Checked once: unlike a request's, this connection stays with the program that opened it. */
function userOf({ remoteAddress, remotePort, localAddress, localPort }: Socket, owners: SocketOwners | null) {
  if (owners === null) return 'unknown'
  if (!remoteAddress || !remotePort || !localAddress || !localPort) return null
  return owners.ownerOf(
    { address: remoteAddress, port: remotePort },
    { address: localAddress, port: localPort },
  )
}

function reject(socket: Socket, rejected: Set<Socket>, problem: Problem): void {
  rejected.add(socket)
  const timer = setTimeout(() => socket.destroy(), PARTING_MS)
  socket.on('close', () => {
    rejected.delete(socket)
    clearTimeout(timer)
  })
  // Closing with unread bytes would discard the error event.
  socket.resume()
  socket.end(encodeEvent(errorEventOf(problem)))
}

function connect(socket: Socket, session: WyomingSession): void {
  session.opened({
    send: (text) => void socket.write(text),
    unsentBytes: () => socket.writableLength,
    close: () => void socket.end(),
    cut: () => void socket.destroy(),
  })
  socket.on('close', (hadError) => session.closed(hadError ? 'broken' : 'in order'))
  // A client that sends faster than the server reads waits: no more than one event is in memory.
  socket.on('data', (bytes) => {
    socket.pause()
    session.received(bytes)
    void session.settled().then(() => socket.resume())
  })
}

async function stopAll(
  servers: Server[],
  { open, rejected }: Connections,
  deadlineMs: number,
): Promise<void> {
  for (const server of servers) server.close()
  const isOver = new AbortController()
  const closed = [...open].map((socket) => new Promise((resolve) => socket.once('close', resolve)))
  await Promise.race([Promise.all(closed).then(() => isOver.abort()), pause(deadlineMs, isOver.signal)])
  for (const socket of [...open, ...rejected]) socket.destroy()
}
