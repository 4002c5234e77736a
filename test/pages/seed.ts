// A data folder with rows in every table and waiting jobs, after a clean stop; and its contents.

import { cp, mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { succeed } from '../../src/lib/result.ts'
import type { Transcriber } from '../../src/transcription/transcribe-recording.ts'
import { said } from '../support/archive.ts'
import { corpus } from '../support/corpus.ts'
import { recordingFile } from '../support/speech.ts'
import { until } from '../support/until.ts'
import { type Opened, openInProcess } from './in-process-server.ts'

const CAPTURES = 12
/** Long enough for a TOAST table. */
const LONG_TEXTS = 400
const RETRANSCRIBED = 'transcribed again after the start'
const PATIENCE_MS = 120_000

type Transcribe = Transcriber['transcribe']

const transcribeAgain: Transcribe = async () => succeed(said(RETRANSCRIBED))

/** Runs until the server stops, so that the job stays unfinished. */
const transcribeForever: Transcribe = ({ signal }) =>
  new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)))

export type CaptureSeen = Record<string, unknown> & { id: string; sha256: string }

/** Everything that must not be lost, as an API client sees it. */
export type Contents = Record<string, unknown> & { captures: CaptureSeen[] }

export type Seed = {
  dataFolder: string
  earlier: string
  contents: Contents
  /** captures in an unfinished batch of retranscriptions; batches have no copy */
  inBatch: string[]
}

export async function makeSeed(root: string): Promise<Seed> {
  const [dataFolder, earlier] = [join(root, 'seed'), join(root, 'earlier')]
  await mkdir(join(dataFolder, 'inbox'), { recursive: true })
  const texts = corpus(17)
  const some = () => texts.next().value.text
  let count = 0
  const first = await openInProcess(dataFolder, async () =>
    succeed(said(count++ === 0 ? Array.from({ length: LONG_TEXTS }, some).join(' ') : some())),
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
  await send(second, 'PATCH', `/captures/${starred}`, { starred: true, title: 'remember this' })
  await second.stop()

  const third = await openInProcess(dataFolder, transcribeForever)
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
  // With its timestamps, as on disk.
  await cp(dataFolder, to, { recursive: true, preserveTimestamps: true })
  return to
}

/**
 * Starts on the folder, waits for all jobs and returns the contents.
 * @throws if it does not start
 */
export async function contentsAfter(dataFolder: string): Promise<Contents> {
  const opened = await openInProcess(dataFolder, transcribeAgain)
  try {
    return await contentsOf(opened.fetch)
  } finally {
    await opened.stop()
  }
}

type Fetch = Opened['fetch']

/** Reading may find the damage; then it starts over once the database is rebuilt. */
export async function contentsOf(fetch: Fetch): Promise<Contents> {
  for (;;) {
    await ready(fetch)
    try {
      await settled({ fetch })
      return await readContents(fetch)
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
  if (!response.ok) throw new Error(`GET ${path} returned ${response.status}: ${await response.text()}`)
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
    { timeoutMs: PATIENCE_MS, what: 'all jobs to end' },
  )

async function readContents(fetch: Fetch): Promise<Contents> {
  const { items } = await json(fetch, '/captures?limit=200')
  const captures: CaptureSeen[] = []
  for (const { id } of items) {
    const { updated_at: _, processing_ms: __, ...capture } = await json(fetch, `/captures/${id}`)
    const audio = await (await get(fetch, `/captures/${id}/audio`)).arrayBuffer()
    const [word] = capture.transcript_raw.split(' ')
    // The real engine returns no text for silence, so there is no word to search for.
    const path = `/captures?limit=200${word === '' ? '' : `&q=${encodeURIComponent(word)}`}`
    const found: { id: string }[] = (await json(fetch, path)).items
    const isFound = found.some((one) => one.id === id)
    const sha256 = new Bun.CryptoHasher('sha256').update(audio).digest('hex')
    captures.push({ ...capture, sha256, isFound })
  }
  const { total_captures, total_words } = await json(fetch, '/captures/stats')
  const entries = async (path: string) => (await json(fetch, path)).items.map(withoutUse)
  return {
    captures,
    counted: { total_captures, total_words },
    dictionary: await entries('/dictionary'),
    styles: await entries('/writing-styles'),
    commands: await entries('/commands'),
    settings: await json(fetch, '/settings/captures'),
  }
}

/** Use counts change while the contents are read. */
const withoutUse = ({ usage_count: _, last_used_at: __, ...entry }: Record<string, unknown>) => entry

async function record(opened: Opened): Promise<string> {
  const form = new FormData()
  form.set('file', recordingFile('nothing-silence.flac'), 'note.flac')
  const response = await opened.fetch('/captures?wait=false', { method: 'POST', body: form })
  // 201 if the transcription ended before the response.
  if (![201, 202].includes(response.status)) throw new Error(`POST /captures returned ${response.status}`)
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
