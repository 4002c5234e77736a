// A data folder in which every table has rows, with jobs that were promised, stopped as a server stops; and what is in it.
// Damaging it is pages.ts.

import { cp, mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { succeed } from '../../src/lib/result.ts'
import type { Transcriber } from '../../src/transcription/transcribe-recording.ts'
import { said } from '../support/archive.ts'
import { corpus } from '../support/corpus.ts'
import { recordingFile } from '../support/speech.ts'
import { until } from '../support/until.ts'
import { type Opened, openInProcess } from './opened.ts'

const CAPTURES = 12
/** So long that Postgres keeps it in a table of its own. */
const LONG_TEXTS = 400
const HEARD_AGAIN = 'heard again after the start'
const PATIENCE_MS = 120_000

type Transcribe = Transcriber['transcribe']

const hearAgain: Transcribe = async () => succeed(said(HEARD_AGAIN))

/** Works until the server stops: what was promised stays promised. */
const hearForever: Transcribe = ({ signal }) =>
  new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)))

export type CaptureSeen = Record<string, unknown> & { id: string; sha256: string }

/** What a client of the API sees of everything that must not be lost. */
export type Contents = Record<string, unknown> & { captures: CaptureSeen[] }

export type Seed = {
  dataFolder: string
  earlier: string
  contents: Contents
  /** captures that a batch was about to transcribe again; batches have no copy */
  inBatch: string[]
}

export async function makeSeed(root: string): Promise<Seed> {
  const [dataFolder, earlier] = [join(root, 'seed'), join(root, 'earlier')]
  await mkdir(join(dataFolder, 'inbox'), { recursive: true })
  const texts = corpus(17)
  const some = () => texts.next().value.text
  let heard = 0
  const first = await openInProcess(dataFolder, async () =>
    succeed(said(heard++ === 0 ? Array.from({ length: LONG_TEXTS }, some).join(' ') : some())),
  )
  for (let made = 0; made < CAPTURES / 2; made++) await record(first)
  await teach(first, 'one')
  await settled(first)
  await first.stop()
  await cp(dataFolder, earlier, { recursive: true })

  const second = await openInProcess(dataFolder, async () => succeed(said(some())))
  const ids: string[] = []
  for (let made = 0; made < CAPTURES / 2; made++) ids.push(await record(second))
  await teach(second, 'two')
  await settled(second)
  const [again, gone, starred] = ids
  await send(second, 'DELETE', `/captures/${gone}`)
  await send(second, 'PATCH', `/captures/${starred}`, { starred: true, title: 'kept in mind' })
  await second.stop()

  const third = await openInProcess(dataFolder, hearForever)
  await send(third, 'POST', `/captures/${again}/retranscribe`, {})
  const inBatch = ids.slice(3, 5)
  await send(third, 'POST', '/captures/retranscribe', { ids: inBatch })
  await record(third)
  await third.stop()
  const contents = await contentsAfter(await copyOf({ dataFolder }, join(root, 'undamaged')))
  return { dataFolder, earlier, contents, inBatch }
}

export async function copyOf({ dataFolder }: Pick<Seed, 'dataFolder'>, to: string): Promise<string> {
  await rm(to, { recursive: true, force: true })
  // With its times, as a disk would have it.
  await cp(dataFolder, to, { recursive: true, preserveTimestamps: true })
  return to
}

/** Starts on the folder, lets it come to rest, and tells all that is in it; throws where it does not start. */
export async function contentsAfter(dataFolder: string): Promise<Contents> {
  const opened = await openInProcess(dataFolder, hearAgain)
  try {
    return await contentsOf(opened.fetch)
  } finally {
    await opened.stop()
  }
}

type Fetch = Opened['fetch']

/** Damage may be met by the very looking; then it is looked again when the database was made anew. */
export async function contentsOf(fetch: Fetch): Promise<Contents> {
  for (;;) {
    await ready(fetch)
    try {
      await settled({ fetch })
      return await look(fetch)
    } catch (error) {
      if (!(error instanceof Unavailable)) throw error
    }
  }
}

class Unavailable extends Error {}

const ready = (fetch: Fetch) =>
  until(async () => (await (await fetch('/health')).json()).database_state === 'ready', {
    timeoutMs: PATIENCE_MS,
    what: 'the database to be ready',
  })

async function get(fetch: Fetch, path: string) {
  const response = await fetch(path)
  if (response.status === 503) throw new Unavailable(path)
  if (!response.ok) throw new Error(`GET ${path} answered ${response.status}: ${await response.text()}`)
  return response
}

const json = async (fetch: Fetch, path: string) => (await get(fetch, path)).json()

const settled = ({ fetch }: Pick<Opened, 'fetch'>) =>
  until(
    async () => {
      for (const state of ['waiting', 'active'])
        if ((await json(fetch, `/jobs?limit=1&state=${state}`)).total > 0) return false
      return (await json(fetch, '/jobs/batches')).items.every(
        (one: { state: string }) => one.state !== 'running',
      )
    },
    { timeoutMs: PATIENCE_MS, what: 'all that was promised to be done' },
  )

async function look(fetch: Fetch): Promise<Contents> {
  const { items } = await json(fetch, '/captures?limit=200')
  const captures: CaptureSeen[] = []
  for (const { id } of items) {
    const { updated_at: _, processing_ms: __, ...capture } = await json(fetch, `/captures/${id}`)
    const audio = await (await get(fetch, `/captures/${id}/audio`)).arrayBuffer()
    const [word] = capture.transcript_raw.split(' ')
    // What the real engine heard in silence has no word to be found by.
    const path = `/captures?limit=200${word === '' ? '' : `&q=${encodeURIComponent(word)}`}`
    const found: { id: string }[] = (await json(fetch, path)).items
    const isFound = found.some((one) => one.id === id)
    const sha256 = new Bun.CryptoHasher('sha256').update(audio).digest('hex')
    captures.push({ ...capture, sha256, isFound })
  }
  const { total_captures, total_words } = await json(fetch, '/captures/stats')
  const taught = async (path: string) => (await json(fetch, path)).items.map(withoutUse)
  return {
    captures,
    counted: { total_captures, total_words },
    dictionary: await taught('/dictionary'),
    styles: await taught('/writing-styles'),
    commands: await taught('/commands'),
    settings: await json(fetch, '/settings/captures'),
  }
}

/** How often it was used is counted on while it is looked at. */
const withoutUse = ({ usage_count: _, last_used_at: __, ...taught }: Record<string, unknown>) => taught

async function record(opened: Opened): Promise<string> {
  const form = new FormData()
  form.set('file', recordingFile('nothing-silence.flac'), 'note.flac')
  const response = await opened.fetch('/captures?wait=false', { method: 'POST', body: form })
  // 201 where it was heard before the answer was written.
  if (![201, 202].includes(response.status)) throw new Error(`a capture was answered with ${response.status}`)
  return (await response.json()).id
}

async function teach(opened: Opened, word: string): Promise<void> {
  await send(opened, 'POST', '/dictionary', { word: `Ada${word}`, aliases: [`aida ${word}`] })
  await send(opened, 'POST', '/commands', {
    ...{ name: `shout ${word}`, triggers: [`shout ${word}`], steps: ['make it uppercase'] },
  })
  await send(opened, 'POST', '/writing-styles', { name: `Minutes ${word}` })
  await send(opened, 'POST', '/commands/run', { instruction: 'make it uppercase', selected_text: word })
  await send(opened, 'PUT', '/settings/captures', { typing_wpm: word === 'one' ? 41 : 42 })
}

async function send({ fetch }: Opened, method: string, path: string, body?: object): Promise<void> {
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(path, { method, ...(body && { headers, body: JSON.stringify(body) }) })
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
}
