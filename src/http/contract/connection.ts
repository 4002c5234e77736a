// What a handler may know of the connection a request came over.
// Made by server/serve.ts for real sockets; an app that is called directly has one of its own.

import type { SocketListener } from './socket.ts'

/** A user's number; null where no program holds the other end any more, `unknown` where the system does not tell. */
export type PeerUser = number | null | 'unknown'

export type Connection = {
  /** address of the other side; null on a socket that has none */
  peer: string | null
  /** asks the system, anew each time, whose program is on the other side */
  user(): PeerUser
  /** the port this server answers on, which Host and Origin are compared with */
  port: number
  /** the names that lead to this server and to no other program, as they stand in Host without the port */
  names: readonly string[]
  /**
   * To be called when the request has arrived as a whole: from then on the idle timeout, which cuts
   * clients that stop sending, must not cut one that waits for its answer.
   */
  requestIsWhole(): void
  /**
   * To be called for a body that may pause, such as a recording that is sent while it is made: whoever reads it
   * watches over its pauses from then on, in place of the idle timeout.
   */
  mayPause(): void
  /**
   * Makes a WebSocket of the request; false where it asks for none, or there is no socket under it. The answer of the
   * route is then 101, which was sent already.
   * @param protocol of those that the request offers, the one that is spoken; null leaves the choice to the server
   */
  upgrade(listener: SocketListener, protocol: string | null): boolean
}

/** What answers requests. */
export type Fetch = (request: Request, connection?: Connection) => Promise<Response>

/** For calls without a socket: as a program on this computer would be seen. */
export const directConnection = (port: number): Connection => ({
  peer: '127.0.0.1',
  user: () => process.geteuid?.() ?? 'unknown',
  port,
  names: ['localhost', '127.0.0.1', '[::1]'],
  requestIsWhole() {},
  mayPause() {},
  upgrade: () => false,
})
