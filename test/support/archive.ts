// A whole archive for tests: real files, database, queue and captures. Tests may replace the recogniser, the refiner,
// the settings and the receiver of events.

import { createHash, randomUUID } from 'node:crypto'
import { copyFile, cp, mkdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { uncopiedCaptures } from '../../db/captures.ts'
import type { Database } from '../../db/database.ts'
import type { IncomingAudio } from '../../src/audio/audio-file.ts'
import type { CaptureEvents } from '../../src/captures/capture.ts'
import { audioInInbox } from '../../src/captures/capture-files.ts'
import type { Captures } from '../../src/captures/captures.ts'
import type { Intaken } from '../../src/captures/create-capture.ts'
import type { CaptureFields } from '../../src/captures/new-capture.ts'
import { type CaptureRecord, readRecord } from '../../src/captures/record.ts'
import type { RecoveryReport } from '../../src/captures/recovery.ts'
import type { Dictation } from '../../src/dictation/dictation.ts'
import { type Jobs, openArchive as openServersArchive } from '../../src/jobs/jobs.ts'
import type { Queue } from '../../src/jobs/queue.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { type Log, silentLog } from '../../src/lib/log.ts'
import { type Result, succeed } from '../../src/lib/result.ts'
import { NO_ID } from '../../src/lib/uuid.ts'
import type { Library } from '../../src/library/library.ts'
import { DEFAULT_SETTINGS, type Settings } from '../../src/settings/settings.ts'
import { createDataFolderStore } from '../../src/store/data-folder.ts'
import type { Store } from '../../src/store/store.ts'
import type { Transcript } from '../../src/transcription/transcript.ts'
import type { Refined, Refiner } from '../../src/writing/refined.ts'
import { openWritingStyles } from '../../src/writing/styles.ts'
import { createTestFolder, type TestFolder } from './database.ts'
import { libraryPlace } from './library.ts'
import { sniffAudio } from './sniff-audio.ts'
import { until } from './until.ts'

const NOBODY_LISTENS: CaptureEvents = { publish() {}, announcing() {} }

/** A fake recogniser; the dictionary does not correct its text. */
type Transcribe = (
  request: Parameters<Dictation['transcribe']>[0],
) => Promise<Result<Transcript, { code: string; message: string }>>

export type TestArchive = {
  dataFolder: string
  store: Store
  database: Database
  queue: Queue
  captures: Captures
  jobs: Jobs
  recovery: RecoveryReport
  /** stops it as the server stops */
  stop(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

export type ArchiveOptions = {
  /** an existing folder is kept */
  folder?: TestFolder
  transcribe?: Transcribe
  /** by default leaves the text unchanged */
  refiner?: Refiner
  settings?: Partial<Settings>
  maxQueue?: number
  /** by default as in src/jobs/jobs.ts */
  stayedUpMs?: number[]
  /** by default events have no receiver */
  captureEvents?: (queue: Queue, library: Library) => Promise<CaptureEvents>
  log?: Log
  /** by default the data folder */
  store?: Store
  /** whether jobs are processed */
  working?: boolean
}

const short = resolve(import.meta.dir, '../speech/short-01.flac')

export async function openArchive(options: ArchiveOptions = {}): Promise<TestArchive> {
  const folder = options.folder ?? (await createTestFolder())
  const { dataFolder } = folder
  const store = options.store ?? createDataFolderStore(dataFolder)
  const log = options.log ?? silentLog
  const inboxFolder = join(dataFolder, 'inbox')
  await mkdir(inboxFolder, { recursive: true })

  const database = await folder.open()
  const place = await libraryPlace({ database, dataFolder, log })
  const styles = await openWritingStyles(place)
  const { queue, captures, jobs, recovery } = await openServersArchive({
    ...{ database, dataFolder, store, inboxFolder, clock: systemClock, log, styles },
    dictation: dictationBy(options.transcribe ?? (async () => succeed(said('hello')))),
    refiner: options.refiner ?? { refine: async (text) => refined(text) },
    settings: { current: () => ({ ...DEFAULT_SETTINGS, autoRefine: false, ...options.settings }) },
    maxQueue: options.maxQueue ?? 1000,
    stayedUpMs: options.stayedUpMs,
    openCaptureEvents: async (queue) =>
      (await options.captureEvents?.(queue, place.library)) ?? NOBODY_LISTENS,
  })
  if (options.working !== false) await jobs.start()

  let stopped = false
  const stop = async () => {
    if (stopped) return
    stopped = true
    await jobs.stop()
    await captures.close()
    await database.close()
  }
  return {
    ...{ dataFolder, store, database, queue, captures, jobs, recovery, stop },
    async [Symbol.asyncDispose]() {
      await stop()
      if (options.folder === undefined) await folder[Symbol.asyncDispose]()
    },
  }
}

const dictationBy = (transcribe: Transcribe): Dictation => ({
  async transcribe(request) {
    const result = await transcribe(request)
    return result.ok ? succeed({ ...result.value, engineText: result.value.text, corrections: 0 }) : result
  },
})

/** A refiner's result. */
export const refined = (text: string, more: Partial<Refined> = {}): Refined => ({
  text,
  status: 'rules',
  writingStyleId: '00000000-0000-7000-8000-000000000001',
  flags: { smartCleanup: true, selfCorrection: true, preserveTechnical: true },
  llmModel: null,
  ms: 3,
  warnings: [],
  ...more,
})

/** A recogniser's result. */
export function said(text: string, more: Partial<Transcript> = {}): Transcript {
  const segment = { startMs: 0, endMs: 1000, text, avgLogprob: -0.2, noSpeechProb: 0.01, words: [] }
  return {
    text,
    segments: text === '' ? [] : [segment],
    language: 'en',
    languageProbability: 0.9,
    model: 'tiny.en-q5_1',
    durationMs: 1600,
    warnings: [],
    processingMs: { decode: 5, transcribe: 50 },
    ...more,
  }
}

/** A recording as the upload code hands it over: in the inbox, complete and recognised. */
export async function receive(dataFolder: string, from = short): Promise<IncomingAudio> {
  const path = join(dataFolder, 'inbox', `${randomUUID()}.part`)
  await mkdir(join(dataFolder, 'inbox'), { recursive: true })
  await copyFile(from, path)
  const bytes = await readFile(path)
  const kind = sniffAudio(bytes.subarray(0, 65_536))!
  return {
    path,
    bytes: (await stat(path)).size,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    kind,
  }
}

export const fields = (more: Partial<CaptureFields> = {}): CaptureFields => ({
  source: 'dictation',
  language: null,
  sttModel: null,
  fileName: 'note.flac',
  title: null,
  writingStyleId: null,
  appName: null,
  appId: null,
  appUrl: null,
  windowTitle: null,
  refine: null,
  ...more,
})

/** A new capture and its job; throws if it was refused. */
export async function capture(archive: TestArchive, more: Partial<CaptureFields> = {}) {
  const incoming = await receive(archive.dataFolder)
  const created = await archive.captures.create({ incoming, fields: fields(more) })
  if (!created.ok) throw new Error(created.failure.message)
  return created.value
}

/** Waits until a job has ended. */
export async function endedJob({ jobs }: Pick<TestArchive, 'jobs'>, jobId: string) {
  if ((await jobs.wait(jobId, { timeoutMs: 60_000 })) === null) throw new Error(`job ${jobId} has not ended`)
  return jobs.get(jobId)
}

/** A capture whose first job has ended. */
export async function finishedCapture(archive: TestArchive, more: Partial<CaptureFields> = {}) {
  const { capture: made, jobId } = await capture(archive, more)
  await endedJob(archive, jobId)
  return (await archive.captures.get(made.id))!
}

type Stored = Pick<TestArchive, 'database' | 'dataFolder'>

/** The copy beside the audio, once it is up to date. */
export async function copyOf({ database, dataFolder }: Stored, id: string): Promise<CaptureRecord> {
  const uncopied = () => database.run((orm) => uncopiedCaptures(orm, { after: NO_ID, limit: 1000 }))
  await until(async () => !(await uncopied()).includes(id), { what: `the copy of ${id}` })
  return recordOf(dataFolder, id)
}

/** The copy beside the audio; throws if there is none. */
export async function recordOf(dataFolder: string, id: string): Promise<CaptureRecord> {
  const record = await readRecord(createDataFolderStore(dataFolder), id)
  if (record === null || record === 'unreadable' || record.state !== 'kept') throw new Error('no record')
  return record
}

/** The same captures folder with an empty database; the caller removes it. */
export async function withEmptyDatabase(folder: TestFolder): Promise<TestFolder> {
  const fresh = await createTestFolder()
  await rm(join(fresh.dataFolder, 'captures'), { recursive: true, force: true })
  await cp(join(folder.dataFolder, 'captures'), join(fresh.dataFolder, 'captures'), { recursive: true })
  return fresh
}

/** A recording that no client has a copy of, as a live socket leaves it in the inbox when it has ended. */
export async function onlyCopy(
  { captures, dataFolder }: Pick<TestArchive, 'captures' | 'dataFolder'>,
  { isDiscarded = false, ...more }: Partial<CaptureFields> & { isDiscarded?: boolean } = {},
): Promise<Intaken & { isOnlyCopy: true }> {
  const captureFields = fields(more)
  const arrival = captures.noteArrival({ fields: captureFields, isDiscarded })
  const received = await receive(dataFolder)
  const path = audioInInbox(join(dataFolder, 'inbox'), arrival.id)
  await rename(received.path, path)
  await arrival.noted
  return { incoming: { ...received, path }, fields: captureFields, arrival, isOnlyCopy: true }
}
