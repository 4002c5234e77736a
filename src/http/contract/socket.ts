// The types of an upgraded WebSocket and its listener; server/sockets.ts implements them.

export type Socket = {
  send(text: string): void
  /** bytes that were queued and that the client has not received yet */
  unsentBytes(): number
  /** closes after the queued messages have been sent */
  close(code: number, reason: string): void
  /** closes at once, for a client that does not read */
  cut(): void
}

/** Called in the order of the events; `closed` is the last call. */
export type SocketListener = {
  opened(socket: Socket): void
  /** a text, or bytes that are only valid during the call */
  received(message: string | Uint8Array): void
  /** `broken`: the connection ended without a close frame */
  closed(how: 'in order' | 'broken'): void
}
