// Connects Bun's WebSockets to the listeners that routes open them with.

import type { ServerWebSocket, WebSocketHandler } from 'bun'
import type { Socket, SocketListener } from '../contract/socket.ts'

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

export const socketHandler: WebSocketHandler<SocketListener> = {
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
