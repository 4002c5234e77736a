// What a handler may do with a WebSocket that came of a request, and what it is told of it.
// Made by server/sockets.ts; holds no behaviour.

export type Socket = {
  send(text: string): void
  /** what was sent and has not been taken off yet */
  unsentBytes(): number
  /** what was sent goes out before */
  close(code: number, reason: string): void
  /** at once, for one that takes nothing off */
  cut(): void
}

/** Told in the order of what happens; after `closed` nothing is. */
export type SocketListener = {
  opened(socket: Socket): void
  /** a text, or bytes that hold for as long as the call */
  received(message: string | Uint8Array): void
  /** `broken`: without the word with which a WebSocket is closed */
  closed(how: 'in order' | 'broken'): void
}
