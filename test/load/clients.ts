// The clients of the load test: ordinary ones, ones that send a byte a second, and ones that disconnect during an upload.

import { createHash } from 'node:crypto'
import { connect, type Socket } from 'node:net'
import { recordingFile } from '../support/speech.ts'

export type Log = {
  /** SHA-256 of acknowledged uploads, by capture id */
  acknowledged: Map<string, string>
  /** number of responses by status */
  statuses: Map<number, number>
  faults: Set<string>
}

export const newLog = (): Log => ({ acknowledged: new Map(), statuses: new Map(), faults: new Set() })

/** One upload in so many is speech, which takes the engine a second; the others are five seconds of silence. */
const SPOKEN_EVERY = 20

type Recording = { bytes: Uint8Array<ArrayBuffer>; sha256: string }

async function readRecording(name: string): Promise<Recording> {
  const bytes = await recordingFile(name).bytes()
  return { bytes, sha256: createHash('sha256').update(bytes).digest('hex') }
}
const SILENCE = await readRecording('nothing-silence.flac')
const SPEECH = await readRecording('short-01.flac')

/** A fifth of a recording's length, so that clients upload faster than real time. */
const PAUSE_MS = 1000

/** Uploads recordings with other requests in between, until `stop`. */
export async function useNormally(url: string, log: Log, stop: AbortSignal): Promise<void> {
  // Spread the clients' starts.
  await Bun.sleep(Math.random() * PAUSE_MS)
  for (let turn = Math.floor(Math.random() * 100); !stop.aborted; turn += 1) {
    await upload(url, turn % SPOKEN_EVERY === 0 ? SPEECH : SILENCE, log)
    await requestOther(url, OTHERS[turn % OTHERS.length]!, log)
    await Bun.sleep(PAUSE_MS)
  }
}

async function upload(url: string, { bytes, sha256 }: Recording, log: Log): Promise<void> {
  const response = await request(`${url}/captures?wait=false`, log, {
    ...{ method: 'POST', headers: { 'content-type': 'audio/flac' }, body: bytes },
  })
  if (response?.ok) log.acknowledged.set(((await response.json()) as { id: string }).id, sha256)
  else await response?.body?.cancel()
}

const json = (path: string, body: object): [string, RequestInit] => [
  path,
  { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) },
]
const OTHERS: [path: string, init?: RequestInit][] = [
  ['/captures?limit=20'],
  ['/captures?q=message'],
  ['/captures/stats?period=month&tz=Europe/Berlin'],
  ['/dictionary'],
  ['/jobs?limit=20'],
  json('/commands/run', { command: 'title case', selected_text: 'the end of the day' }),
  json('/dictionary/test', { text: 'it is on git hub', entry: { word: 'git hub', replacement: 'GitHub' } }),
]

async function requestOther(url: string, [path, init]: [string, RequestInit?], log: Log): Promise<void> {
  const response = await request(url + path, log, init)
  await response?.arrayBuffer()
}

async function request(address: string, log: Log, init: RequestInit = {}): Promise<Response | null> {
  try {
    // Keep-alive connections would count as handles of the server.
    const response = await fetch(address, { ...init, keepalive: false, signal: AbortSignal.timeout(120_000) })
    const { status } = response
    log.statuses.set(status, (log.statuses.get(status) ?? 0) + 1)
    const isRefusal = status === 429 || status === 503
    if (isRefusal && !response.headers.has('retry-after')) log.faults.add(`${status} without Retry-After`)
    if (!response.ok && !isRefusal) log.faults.add(`${new URL(address).pathname} returned ${status}`)
    return response
  } catch (error) {
    log.faults.add(`${new URL(address).pathname}: ${(error as Error).message}`)
    return null
  }
}

/** The beginning of a form upload whose Content-Length is larger than what follows. */
const headOfForm = (host: string): string =>
  `POST /captures?wait=false HTTP/1.1\r\nHost: ${host}\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: 100000\r\n\r\n--b\r\nContent-Disposition: form-data; name="file"; filename="a.flac"\r\n\r\n`

function dial(url: string): Socket {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  // Either side may close it at any time.
  socket.on('error', () => {})
  return socket
}

/** Sends a byte a second of a recording, until `stop` or until the server closes the connection. */
export function sendSlowly(url: string, stop: AbortSignal): void {
  const socket = dial(url)
  let at = 0
  socket.once('connect', () => socket.write(headOfForm(new URL(url).host)))
  const timer = setInterval(() => socket.write(SILENCE.bytes.subarray(at, ++at)), 1000)
  const end = () => socket.destroy()
  socket.once('close', () => {
    clearInterval(timer)
    stop.removeEventListener('abort', end)
  })
  stop.addEventListener('abort', end, { once: true })
}

/** Sends part of a recording and disconnects. */
export async function disconnectEarly(url: string): Promise<void> {
  const socket = dial(url)
  const { promise: closed, resolve } = Promise.withResolvers<void>()
  socket.once('close', () => resolve())
  const sent = 1 + Math.floor(Math.random() * 20_000)
  socket.once('connect', () => {
    socket.write(headOfForm(new URL(url).host))
    socket.write(SILENCE.bytes.subarray(0, sent), () => socket.destroy())
  })
  await closed
}
