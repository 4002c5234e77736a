// The connection of a request, as handlers see it. `server/serve.ts` creates it for real sockets.

import type { SocketListener } from './socket.ts'

/** A user id; null if no program holds the other end any more, `unknown` if the system does not report it. */
export type PeerUser = number | null | 'unknown'

export type Connection = {
  /** address of the client; null on a socket without addresses */
  peer: string | null
  /** queries the system, at every call, for the user of the client program */
  user(): PeerUser
  /** the port this server listens on; Host and Origin are compared with it */
  port: number
  /** the names that lead to this server and to no other program, as written in Host without the port */
  names: readonly string[]
  /**
   * Call this when the whole request has arrived. It turns off the idle timeout, which disconnects clients that stop
   * sending but must not disconnect a client that waits for its response.
   */
  requestIsWhole(): void
  /**
   * Call this for a body that may pause, such as a recording that is sent while it is made. The code that reads the
   * body then limits its pauses, in place of the idle timeout.
   */
  mayPause(): void
  /**
   * Upgrades the request to a WebSocket. Returns false if the request is no upgrade request, or has no socket. After an
   * upgrade the 101 response has already been sent.
   * @param protocol the chosen one of the protocols that the request offers; null leaves the choice to Bun
   */
  upgrade(listener: SocketListener, protocol: string | null): boolean
}

export type Fetch = (request: Request, connection?: Connection) => Promise<Response>

/** For calls without a socket: looks like a program on this computer. */
export const directConnection = (port: number): Connection => ({
  peer: '127.0.0.1',
  user: () => process.geteuid?.() ?? 'unknown',
  port,
  names: ['localhost', '127.0.0.1', '[::1]'],
  requestIsWhole() {},
  mayPause() {},
  upgrade: () => false,
})
