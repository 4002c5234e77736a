// A client of WS /transcribe/live and other live sockets. Uses Bun's own WebSocket; `handshake` sends raw bytes, to
// test refused handshakes.

import { connect } from 'node:net'
import { samplesOf } from './flac.ts'
import { until } from './until.ts'

// biome-ignore lint/suspicious/noExplicitAny: a message of the server; the tests inspect it
export type ServerMessage = { type: string; [name: string]: any }

/** For a busy machine. */
const PATIENCE_MS = 120_000
const RATE = 16_000

export type LiveClient = {
  messages: ServerMessage[]
  /** the negotiated subprotocol */
  protocol: string
  send(frame: string | ArrayBufferView<ArrayBuffer>): void
  stop(): void
  /** the messages of one type so far */
  of(type: string): ServerMessage[]
  /** the first message of a type that `fits` */
  first(type: string, fits?: (one: ServerMessage) => boolean): Promise<ServerMessage>
  closed: Promise<{ code: number; reason: string }>
  /** closes the connection without a close frame */
  terminate(): void
}

type Opening = { headers?: Record<string, string>; protocols?: string[] }

export const openLive = (
  url: string,
  { query = {}, ...opening }: Opening & { query?: Record<string, string> } = {},
): Promise<LiveClient> => openSocket(`${url}/transcribe/live?${new URLSearchParams(query)}`, opening)

export async function openSocket(
  address: string,
  { headers = {}, protocols = [] }: Opening = {},
): Promise<LiveClient> {
  // Bun's WebSocket has more than a browser's: headers, and `terminate`.
  const socket = new (
    WebSocket as unknown as new (
      url: string,
      options: { headers: Record<string, string>; protocols: string[] },
    ) => WebSocket & { terminate(): void }
  )(address.replace('http', 'ws'), { headers, protocols })
  const messages: ServerMessage[] = []
  const opened = Promise.withResolvers<void>()
  const closed = Promise.withResolvers<{ code: number; reason: string }>()
  socket.onopen = () => opened.resolve()
  socket.onmessage = ({ data }) => messages.push(JSON.parse(data))
  socket.onclose = ({ code, reason }) => {
    opened.reject(new Error(`closed with ${code}`))
    closed.resolve({ code, reason })
  }
  await opened.promise
  return {
    messages,
    protocol: socket.protocol,
    send: (frame) => socket.send(frame),
    stop: () => socket.send('{"type":"stop"}'),
    of: (type) => messages.filter((one) => one.type === type),
    first: (type, fits = () => true) =>
      until(() => messages.find((one) => one.type === type && fits(one)), {
        timeoutMs: PATIENCE_MS,
        what: () => `${type} among ${JSON.stringify(messages)}`,
      }),
    closed: closed.promise,
    terminate: () => socket.terminate(),
  }
}

/** 16-bit samples. */
export const spokenIn = async (file: string): Promise<Int16Array<ArrayBuffer>> =>
  Int16Array.from(await samplesOf(file), (sample) => Math.round(sample * 32_768))

export const silenceOf = (seconds: number): Int16Array<ArrayBuffer> => new Int16Array(seconds * RATE)

export function oneAfterAnother(...parts: Int16Array[]): Int16Array<ArrayBuffer> {
  const all = new Int16Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.length
  }
  return all
}

/** Linear interpolation: what a telephone or a page would send. */
export const resampled = (samples: Int16Array, rate: number): Int16Array<ArrayBuffer> =>
  Int16Array.from({ length: Math.floor((samples.length * rate) / RATE) }, (_, at) => {
    const [from, part] = [Math.floor((at * RATE) / rate), ((at * RATE) / rate) % 1]
    return Math.round(samples[from]! * (1 - part) + (samples[from + 1] ?? 0) * part)
  })

export const asFloats = (samples: Int16Array): Float32Array =>
  Float32Array.from(samples, (sample) => sample / 32_768)

export type Answer = { status: number; head: string; body: string }

/** The raw response to a WebSocket handshake; an accepted socket is closed at once. */
export function handshake(
  url: string,
  { path = '/transcribe/live', headers = {} }: { path?: string; headers?: Record<string, string> } = {},
): Promise<Answer> {
  const { port, host } = new URL(url)
  const sent = {
    host,
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
    ...headers,
  }
  const lines = Object.entries(sent).map(([name, value]) => `${name}: ${value}\r\n`)
  return new Promise((resolve, reject) => {
    let received = ''
    const socket = connect(Number(port), '127.0.0.1', () =>
      socket.write(`GET ${path} HTTP/1.1\r\n${lines.join('')}\r\n`),
    )
    socket.on('data', (chunk) => {
      received += chunk.toString()
      const [head = '', body] = received.split('\r\n\r\n')
      const length = Number(/^content-length: (\d+)$/im.exec(head)?.[1] ?? 0)
      if (body === undefined || Buffer.byteLength(body) < length) return
      const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1])
      resolve({ status, head, body: body.slice(0, length) })
      socket.destroy()
    })
    socket.on('error', reject)
    socket.on('close', () => reject(new Error(`closed after ${JSON.stringify(received)}`)))
  })
}
