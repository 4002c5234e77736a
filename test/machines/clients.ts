// The clients: each sends one random call after another to a random server, and notes what it knows afterwards.

import { samplesOf } from '../support/flac.ts'
import { sha256 } from '../support/kept-view.ts'
import { wavOf } from '../support/wav.ts'
import { type Cluster, current } from './cluster.ts'
import {
  ANYTHING,
  type Answered,
  call,
  type Entry,
  GONE,
  type History,
  newRegister,
  noteWrite,
  type Recording,
  type Register,
  USES,
} from './history.ts'

export type Draw = {
  /** from 0 to below `end` */
  below(end: number): number
  of<T>(some: readonly T[]): T
}

const CLIENTS = 6
/** Up to this between two calls of a client. */
const MAX_PAUSE_MS = 400
/** Enough to be changed by several clients at once, and few enough to be checked in time. */
const MAX_RECORDINGS = 400

type World = { cluster: Cluster; history: History; draw: Draw; speeches: Blob[] }
type Work = (world: World) => Promise<void>

/** Runs all clients until `stop`. */
export async function runClients(world: Omit<World, 'speeches'>, stop: AbortSignal): Promise<void> {
  const names = ['short-01', 'short-02', 'short-03', 'short-04', 'short-05', 'short-06']
  const speeches = await Promise.all(names.map(async (name) => wavOf(await samplesOf(`${name}.flac`))))
  const works = WORKS.flatMap(([weight, work]) => Array<Work>(weight).fill(work))
  const client = async () => {
    while (!stop.aborted) {
      await world.draw.of(works)({ ...world, speeches })
      await Bun.sleep(world.draw.below(MAX_PAUSE_MS))
    }
  }
  await Promise.all(Array.from({ length: CLIENTS }, client))
}

const send = (
  { cluster, history, draw }: World,
  ...request: [method: string, path: string, body?: object | FormData]
): Promise<Answered> => {
  const member = draw.of(cluster.members.filter(({ role }) => role === 'server'))
  return call(history, { name: member.name, url: current(member).url }, request)
}

const upload: Work = async (world) => {
  const { history, draw, speeches } = world
  if (history.recordings.length >= MAX_RECORDINGS) return
  const speech = draw.below(speeches.length)
  // A chunk that players skip makes each file another one with the same speech.
  const bytes = await new Blob([speeches[speech]!, chunkOf(crypto.randomUUID())]).arrayBuffer()
  const form = new FormData()
  form.set('file', new File([bytes], 'note.wav'))
  const query = draw.of(['wait=false', 'wait=false', 'wait=3'])
  const { outcome, json } = await send(world, 'POST', `/captures?${query}`, form)
  if (outcome === 'unknown') history.unknownUploads++
  if (outcome !== 'done') return
  history.recordings.push({
    id: json.id,
    speech,
    sha256: sha256(bytes),
    use: draw.of(USES),
    isReady: false,
    registers: new Map([['life', newRegister(null)]]),
    retranscriptions: { done: 0, unknown: 0 },
    busy: new Set(),
  })
}

function chunkOf(text: string): Blob {
  const size = new Uint8Array(new Uint32Array([text.length]).buffer)
  return new Blob(['note', size, text])
}

type Use = { use?: Recording['use']; field: string }

/** Runs on a recording of which no client changes that field at the moment. */
const onRecording =
  ({ use, field }: Use, work: (world: World, recording: Recording) => Promise<void>): Work =>
  async (world) => {
    const fit = world.history.recordings.filter(
      (one) =>
        one.isReady &&
        !one.busy.has(field) &&
        !one.registers.get('life')!.possible.has(GONE) &&
        (use === undefined || one.use === use),
    )
    if (fit.length === 0) return
    // The last ones are likely to be at work.
    const recording = world.draw.of(fit.slice(-20))
    recording.busy.add(field)
    await work(world, recording).finally(() => recording.busy.delete(field))
  }

const registerOf = ({ registers }: Recording, name: string): Register => {
  const found = registers.get(name) ?? newRegister(ANYTHING)
  registers.set(name, found)
  return found
}

/** A deletion that runs beside it may be the reason of a 404. */
function checkFound({ history }: World, { id, registers }: Recording, { status }: Answered): void {
  const isThere = !registers.get('life')!.possible.has(GONE)
  if (status === 404 && isThere && !history.recordings.find((one) => one.id === id)!.busy.has('life'))
    history.faults.push(`capture ${id} answered 404, and no client had deleted it`)
}

let count = 0
const newText = () => `Text number ${lettersOf(++count)}`
/** Digits would be formatted. */
const lettersOf = (number: number) =>
  [...String(number)].map((digit) => String.fromCharCode(97 + Number(digit))).join('')

const edit = (field: string, newValue: (draw: Draw) => unknown, use?: Recording['use']): Work =>
  onRecording({ field, ...(use && { use }) }, async (world, recording) => {
    const value = newValue(world.draw)
    const answer = await send(world, 'PATCH', `/captures/${recording.id}`, { [field]: value })
    checkFound(world, recording, answer)
    noteWrite(registerOf(recording, field), value, answer)
  })

const correct = onRecording({ use: 'corrected', field: 'segment' }, async (world, recording) => {
  const text = newText()
  const answer = await send(world, 'PATCH', `/captures/${recording.id}/segments/0`, { text })
  checkFound(world, recording, answer)
  noteWrite(registerOf(recording, 'segment'), text, answer)
})

const retranscribe = onRecording({ use: 'retranscribed', field: 'job' }, async (world, recording) => {
  const answer = await send(world, 'POST', `/captures/${recording.id}/retranscribe?wait=false`, {})
  checkFound(world, recording, answer)
  if (answer.outcome === 'done') recording.retranscriptions.done++
  if (answer.outcome === 'unknown') recording.retranscriptions.unknown++
})

const remove = onRecording({ field: 'life' }, async (world, recording) => {
  const answer = await send(world, 'DELETE', `/captures/${recording.id}`)
  noteWrite(recording.registers.get('life')!, GONE, answer)
})

const look: Work = async (world) => {
  const waiting = world.history.recordings.filter(({ isReady }) => !isReady)
  if (waiting.length === 0) return
  const recording = world.draw.of(waiting.slice(-10))
  const { json } = await send(world, 'GET', `/captures/${recording.id}`)
  recording.isReady = json?.status === 'completed'
}

/** Adds an entry, or changes or deletes one. */
const shelf = (path: string, newEntry: (name: string) => object, change: string): Work => {
  return async (world) => {
    const { history, draw } = world
    const own = history.entries.filter(
      (one) => one.path === path && one.id !== null && !one.life.possible.has(GONE),
    )
    const kind = draw.below(4)
    if (own.length === 0 || kind < 2) {
      const name = `word ${lettersOf(++count)}`
      const answer = await send(world, 'POST', path, newEntry(name))
      if (answer.outcome === 'refused')
        history.faults.push(`${path}: ${answer.status} ${JSON.stringify(answer.json)}`)
      const entry: Entry = { path, name, life: newRegister(GONE), value: newRegister(ANYTHING), id: null }
      noteWrite(entry.life, null, answer)
      entry.id = answer.json?.id ?? null
      history.entries.push(entry)
      return
    }
    const entry = draw.of(own)
    const { id } = entry
    // Another client may not use it meanwhile.
    entry.id = null
    if (kind === 2) {
      const value = newText()
      noteWrite(entry.value, value, await send(world, 'PATCH', `${path}/${id}`, { [change]: value }))
    } else noteWrite(entry.life, GONE, await send(world, 'DELETE', `${path}/${id}`))
    entry.id = id
  }
}

const busySettings = new Set<string>()

const setting = (name: string, newValue: (draw: Draw) => unknown): Work => {
  return async (world) => {
    if (busySettings.has(name)) return
    busySettings.add(name)
    const value = newValue(world.draw)
    const answer = await send(world, 'PATCH', '/settings/captures', { [name]: value })
    const register = world.history.settings.get(name) ?? newRegister(ANYTHING)
    world.history.settings.set(name, register)
    noteWrite(register, value, answer)
    busySettings.delete(name)
  }
}

const WORKS: [weight: number, work: Work][] = [
  [6, upload],
  [8, look],
  [4, edit('title', newText)],
  [3, edit('starred', ({ below }) => below(2) === 1)],
  [3, edit('transcript_refined', newText, 'edited')],
  [3, correct],
  [3, retranscribe],
  [1, remove],
  [2, shelf('/dictionary', (word) => ({ word, replacement: 'first' }), 'replacement')],
  [2, shelf('/writing-styles', (name) => ({ name }), 'description')],
  [1, setting('typing_wpm', ({ below }) => 20 + below(100))],
  [1, setting('initial_prompt', newText)],
]
