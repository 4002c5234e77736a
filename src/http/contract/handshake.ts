// The WebSocket handshake request: RFC 6455, section 4.1.

export const asksForSocket = ({ method, headers }: Request): boolean =>
  method === 'GET' && headers.get('upgrade')?.toLowerCase() === 'websocket'

/** In the client's order of preference. */
export const protocolsOffered = ({ headers }: Request): string[] =>
  (headers.get('sec-websocket-protocol') ?? '').split(/, */)
