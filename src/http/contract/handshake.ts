// What a request says that asks for a WebSocket, by RFC 6455, section 4.1.
// What the socket may be used for is socket.ts.

export const asksForSocket = ({ method, headers }: Request): boolean =>
  method === 'GET' && headers.get('upgrade')?.toLowerCase() === 'websocket'

/** In the order in which the client prefers them. */
export const protocolsOffered = ({ headers }: Request): string[] =>
  (headers.get('sec-websocket-protocol') ?? '').split(/, */)
