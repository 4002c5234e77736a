// WebSockets as Bun has them, handed to the listener that each was opened with.
// Who may open one is decided before (guard.ts, then the route); what is said on it is the route's.

import type { ServerWebSocket, WebSocketHandler } from 'bun'
import type { Socket, SocketListener } from '../contract/socket.ts'

/**
 * Larger than what any route takes (15 MiB of audio in base64), so that it can say so itself: Bun cuts off what sends
 * more, with 1009 and no word of ours.
 */
const MAX_FRAME_BYTES = 24 * 1024 ** 2
/** A listener that forgot to look would be cut here: no peer that does not read grows the memory. */
const MAX_UNSENT_BYTES = 1024 ** 2
/** Bun asks a quiet peer for a sign of life, and cuts one that gives none. */
const IDLE_SECONDS = 120

/** RFC 6455, section 7.4.1: what no side sends, and stands for a connection that is gone. */
const BROKEN = 1006

export const socketHandler: WebSocketHandler<SocketListener> = {
  maxPayloadLength: MAX_FRAME_BYTES,
  backpressureLimit: MAX_UNSENT_BYTES,
  closeOnBackpressureLimit: true,
  idleTimeout: IDLE_SECONDS,
  sendPings: true,
  // What is sent is short, and what is received cannot be packed: memory for nothing.
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
