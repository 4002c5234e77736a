// The connection of a request, as handlers see it, and the listener of a WebSocket. `server/serve.ts` creates both for
// real sockets. Also the aliases of addresses, and the shape of a webhook's declaration.

import type { Hoist, JsonObject } from './schema.ts'

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

const ID = '([^/]+?)'

/** An alias of one method has it in front, and so has an address that needs another method. */
const ADDRESS_ALIASES: readonly [alias: RegExp, address: string][] = (
  [
    ['(POST|PUT) /((audio/)?transcriptions?|audio|dictate)', 'POST /transcribe'],
    ['(POST|PUT) /(recordings|uploads?|files?|captures/upload)', 'POST /captures'],
    ['(POST|PUT|DELETE) /(captures/)?trash(/.*)?', 'POST /captures/delete'],
    ['/(captures/)?trash', '/captures?trashed=true'],
    ['/languages?', '/openapi.json'],
    ['/(config|configuration)', '/settings/captures'],
    ['/statistics', '/captures/stats'],
    ['/(status|ping|healthz?|ready|readyz|livez)', '/health'],
    ['/(version|info)', '/'],
    ['/models', '/models/status'],
    ['/(stt|asr|recognize|speech-to-text)', '/transcribe'],
    ['/(recordings|transcripts|transcriptions|history)', '/captures'],
    ['/(search|find)', '/captures?q=words'],
    ['/(queue|tasks)', '/jobs'],
    ['/(swagger|redoc|api-docs)(/.*)?', '/docs'],
    ['/captures/(latest|last|newest|recent)', '/captures?limit=1'],
    [`/captures/${ID}[./](txt|md|docx|srt|vtt|json)`, '/captures/$1/export?format=$2'],
    [`/captures/${ID}/(transcript|transcription|text|subtitles|captions|download)`, '/captures/$1/export'],
    [`/captures/${ID}[./](wav|mp3|m4a|flac|ogg|opus|webm|recording|sound|file)`, '/captures/$1/audio'],
  ] as const
).map(([alias, address]) => {
  const isOfAny = alias.startsWith('/')
  return [new RegExp(`^${isOfAny ? '[A-Z]+ ' : ''}${alias}/?$`, 'i'), address]
})

/** Null if no hint matches the request. */
export function addressOfAlias(method: string, path: string): string | null {
  const asked = `${method} ${path}`
  const found = ADDRESS_ALIASES.find(([alias]) => alias.test(asked))
  return found === undefined ? null : asked.replace(...found)
}

export const asksForSocket = ({ method, headers }: Request): boolean =>
  method === 'GET' && headers.get('upgrade')?.toLowerCase() === 'websocket'

/** In the client's order of preference. */
export const protocolsOffered = ({ headers }: Request): string[] =>
  (headers.get('sec-websocket-protocol') ?? '').split(/, */)

export type Webhook = {
  name: string
  /** a path item of OpenAPI, its schemas handed to `hoist` */
  describe(hoist: Hoist): JsonObject
}
