// The most expensive traffic on a live socket: many small frames, few large ones, endless settings.

import { hostileJson, MIB } from './hostile-json.ts'

export type Flood = {
  what: string
  path: string
  frames(): Iterable<string | Uint8Array<ArrayBuffer>>
  pings?: number
}

const RATE = 16_000
const silence = (bytes: number) => new Uint8Array(bytes)
const TENTH_OF_A_SECOND = silence((RATE / 10) * 2)

function* times<T>(count: number, frames: (index: number) => Iterable<T>): Iterable<T> {
  for (let index = 0; index < count; index++) yield* frames(index)
}

const event = (type: string, more: object = {}) => JSON.stringify({ type, ...more })
const append = (bytes: Uint8Array) =>
  event('input_audio_buffer.append', { audio: Buffer.from(bytes).toString('base64') })
const COMMIT = event('input_audio_buffer.commit')
const CLEAR = event('input_audio_buffer.clear')
const update = (transcription: object) =>
  event('session.update', {
    session: {
      audio: { input: { format: { type: 'audio/pcm', rate: RATE }, transcription, turn_detection: null } },
    },
  })
const prompted = (index: number) => update({ prompt: `${index} ${'word '.repeat(50)}` })

const realtime = (what: string, frames: Flood['frames']): Flood => ({
  ...{ what: `realtime: ${what}`, path: '/v1/realtime', frames },
})
const live = (what: string, frames: Flood['frames'], more: Partial<Flood> = {}): Flood => ({
  ...{ what: `live: ${what}`, path: `/transcribe/live?rate=${RATE}`, frames, ...more },
})

const withSession = (json: string) => `{"type":"session.update","session":${json}}`

export const FLOODS: Flood[] = [
  realtime('5,800 commits of 100 ms', function* () {
    yield update({})
    yield* times(5800, () => [append(TENTH_OF_A_SECOND), COMMIT])
  }),
  realtime('an hour of audio at once', () => times(8, () => [append(silence(15 * MIB))])),
  realtime('appends of one sample', () => times(200_000, () => [append(silence(2))])),
  realtime('settings that always change', () =>
    times(5000, (index) => [prompted(index), append(silence(2))]),
  ),
  realtime('settings that never change', () => times(9000, () => [update({})])),
  realtime('buffers that are cleared', () => times(5000, () => [append(TENTH_OF_A_SECOND), CLEAR])),
  realtime('invalid events', () => times(20_000, () => ['{}'])),
  realtime('24 MB of nested lists', () => times(3, () => [withSession('['.repeat(23 * MIB))])),
  realtime('24 MB of a list', () => times(3, () => [withSession(`[${'[],'.repeat(7 * MIB)}0]`)])),
  ...Object.entries(hostileJson).map(([what, json]) => realtime(what, () => [withSession(json())])),
  live('frames of one sample', () => times(200_000, () => [silence(2)])),
  live('frames of one sample, stored', () => times(200_000, () => [silence(2)]), {
    path: `/transcribe/live?rate=${RATE}&keep=true`,
  }),
  live('empty frames', () => times(200_000, () => [silence(0)])),
  live('frames of a megabyte', () => times(18, () => [silence(MIB)])),
  live('an hour of audio at once', () => times(110, () => [silence(MIB)])),
  live('24 MB of text', () => [`{"type":${'['.repeat(23 * MIB)}`]),
  live('pings', () => [], { pings: 100_000 }),
]

/** Sent by the client, not yet read by the server. */
const MAX_UNSENT_BYTES = 32 * MIB
const POLL_EVERY_MS = 5
const OPEN = 101
const NO_RESPONSE = 0
/** A realtime session has finished when the server has read everything and transcribed all commits. */
const isRealtime = ({ path }: Flood) => path.startsWith('/v1/')

/** @returns the server's close code; 101 if the socket stayed open, 0 if the server did not respond in time */
export async function flood(url: string, one: Flood, signal: AbortSignal): Promise<number> {
  const socket = new WebSocket(`${url}${one.path}`.replace('http', 'ws')) as WebSocket & {
    ping(): void
    terminate(): void
  }
  let code: number | null = null
  let open = 0
  let isRead = false
  const isOpened = Promise.withResolvers<void>()
  socket.onopen = () => isOpened.resolve()
  socket.onclose = (closed) => {
    code = closed.code
    isOpened.resolve()
  }
  socket.onmessage = ({ data }) => {
    const message = String(data)
    if (message.includes('input_audio_buffer.committed')) open++
    if (/transcription\.(completed|failed)"/.test(message)) open--
    if (message.includes('"event_id":"last"')) isRead = true
  }
  await isOpened.promise
  const waits = () => code === null && !signal.aborted
  for (const frame of one.frames()) {
    while (waits() && socket.bufferedAmount > MAX_UNSENT_BYTES) await Bun.sleep(POLL_EVERY_MS)
    if (!waits()) break
    socket.send(frame)
  }
  for (let count = 0; count < (one.pings ?? 0) && waits(); count++) socket.ping()
  if (waits()) socket.send(isRealtime(one) ? event('none', { event_id: 'last' }) : event('stop'))
  while (waits() && !(isRead && open === 0)) await Bun.sleep(POLL_EVERY_MS)
  if (code === null) socket.terminate()
  return code ?? (isRead ? OPEN : NO_RESPONSE)
}
