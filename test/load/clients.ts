// The clients of the load: those that upload and ask as people's programs do, those that send a byte a second, and
// those that break off in the middle. What their answers must be is load.ts's.

import { createHash } from 'node:crypto'
import { connect, type Socket } from 'node:net'
import { recordingFile } from '../support/speech.ts'

export type Log = {
  /** by id, the SHA-256 of what was sent: the server has said that it keeps it */
  acknowledged: Map<string, string>
  /** how often each status came */
  statuses: Map<number, number>
  /** what no client should see */
  faults: Set<string>
}

export const newLog = (): Log => ({ acknowledged: new Map(), statuses: new Map(), faults: new Set() })

/** One in so many has speech in it, which takes the engine a second; the rest is five seconds of silence. */
const SPOKEN_EVERY = 20

type Sound = { bytes: Uint8Array<ArrayBuffer>; sha256: string }

async function soundOf(name: string): Promise<Sound> {
  const bytes = await recordingFile(name).bytes()
  return { bytes, sha256: createHash('sha256').update(bytes).digest('hex') }
}
const SILENCE = await soundOf('nothing-silence.flac')
const SPEECH = await soundOf('short-01.flac')

/** Nobody speaks for five seconds in one. */
const PAUSE_MS = 1000

/** Uploads, and asks for this and that in between, until it is told to stop. */
export async function useAsPeopleDo(url: string, log: Log, stop: AbortSignal): Promise<void> {
  // Not all in the same moment, as if somebody had counted to three.
  await Bun.sleep(Math.random() * PAUSE_MS)
  for (let turn = Math.floor(Math.random() * 100); !stop.aborted; turn += 1) {
    await upload(url, turn % SPOKEN_EVERY === 0 ? SPEECH : SILENCE, log)
    await ask(url, OTHERS[turn % OTHERS.length]!, log)
    await Bun.sleep(PAUSE_MS)
  }
}

async function upload(url: string, { bytes, sha256 }: Sound, log: Log): Promise<void> {
  const response = await asked(`${url}/captures?wait=false`, log, {
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

async function ask(url: string, [path, init]: [string, RequestInit?], log: Log): Promise<void> {
  const response = await asked(url + path, log, init)
  await response?.arrayBuffer()
}

async function asked(address: string, log: Log, init: RequestInit = {}): Promise<Response | null> {
  try {
    // A connection that is kept would count among what the server holds.
    const response = await fetch(address, { ...init, keepalive: false, signal: AbortSignal.timeout(120_000) })
    const { status } = response
    log.statuses.set(status, (log.statuses.get(status) ?? 0) + 1)
    const isRefusal = status === 429 || status === 503
    if (isRefusal && !response.headers.has('retry-after')) log.faults.add(`${status} without Retry-After`)
    if (!response.ok && !isRefusal) log.faults.add(`${new URL(address).pathname} answered ${status}`)
    return response
  } catch (error) {
    log.faults.add(`${new URL(address).pathname}: ${(error as Error).message}`)
    return null
  }
}

/** The beginning of an upload in a form, which names more than will ever come. */
const headOfForm = (host: string): string =>
  `POST /captures?wait=false HTTP/1.1\r\nHost: ${host}\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: 100000\r\n\r\n--b\r\nContent-Disposition: form-data; name="file"; filename="a.flac"\r\n\r\n`

function dial(url: string): Socket {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  // It is cut by whoever likes to; nobody waits for it.
  socket.on('error', () => {})
  return socket
}

/** Sends a byte a second of a recording, until it is told to stop or is cut off. */
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

/** Sends a part of a recording and goes. */
export async function breakOff(url: string): Promise<void> {
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
