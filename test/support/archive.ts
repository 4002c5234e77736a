// A whole archive for tests: real files, database, queue and captures; only the recogniser can be given by hand.
// Its pieces are put together as main.ts does.

import { createHash, randomUUID } from 'node:crypto'
import { copyFile, mkdir, readFile, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Database } from '../../db/database.ts'
import type { IncomingAudio } from '../../src/audio/audio-file.ts'
import { sniffAudio } from '../../src/audio/sniff.ts'
import { type Captures, createCaptures } from '../../src/captures/captures.ts'
import type { CaptureFields } from '../../src/captures/create-capture.ts'
import { type RecoveryReport, recoverCaptures } from '../../src/captures/recovery.ts'
import { createJobs, type Jobs } from '../../src/jobs/jobs.ts'
import { openQueue, type Queue } from '../../src/jobs/queue.ts'
import { createTranscribeJob, type TranscribeJobDeps } from '../../src/jobs/transcribe-job.ts'
import { type Log, silentLog } from '../../src/lib/log.ts'
import type { Transcript } from '../../src/transcription/transcript.ts'
import { createTestFolder, type TestFolder } from './database.ts'

type Transcribe = TranscribeJobDeps['transcriber']['transcribe']

export type TestArchive = {
  dataFolder: string
  database: Database
  queue: Queue
  captures: Captures
  jobs: Jobs
  recovery: RecoveryReport
  /** ends it as a stop of the server does */
  stop(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

export type ArchiveOptions = {
  /** an existing one is kept */
  folder?: TestFolder
  transcribe?: Transcribe
  models?: TranscribeJobDeps['models']
  maxQueue?: number
  log?: Log
  /** whether jobs are worked on */
  working?: boolean
}

const short = resolve(import.meta.dir, '../speech/short-01.flac')

export async function openArchive(options: ArchiveOptions = {}): Promise<TestArchive> {
  const folder = options.folder ?? (await createTestFolder())
  const { dataFolder } = folder
  const log = options.log ?? silentLog
  const clock = () => new Date()
  const incomingFolder = join(dataFolder, 'incoming')
  await mkdir(incomingFolder, { recursive: true })

  const database = await folder.open()
  const queue = await openQueue({ database, log })
  const maxQueue = options.maxQueue ?? 1000
  const captures = createCaptures({ database, dataFolder, delivery: queue, clock, log, maxQueue })
  const recovery = await recoverCaptures({ database, dataFolder, incomingFolder, clock, log })
  const models = options.models ?? { resolve: async () => ({ ok: true, value: anyModel }) }
  const transcriber = { transcribe: options.transcribe ?? (async () => ({ ok: true, value: said('hello') })) }
  const handler = createTranscribeJob({ captures, database, models, transcriber, log })
  const jobs = createJobs({ database, queue, captures, handler, log })
  if (options.working !== false) await jobs.start()

  let stopped = false
  const stop = async () => {
    if (stopped) return
    stopped = true
    await jobs.stop()
    await database.close()
  }
  return {
    ...{ dataFolder, database, queue, captures, jobs, recovery, stop },
    async [Symbol.asyncDispose]() {
      await stop()
      if (options.folder === undefined) await folder[Symbol.asyncDispose]()
    },
  }
}

const anyModel = { name: 'tiny.en-q5_1', path: '/nowhere', bytes: 1, multilingual: false }

/** What a recogniser answers. */
export function said(text: string, more: Partial<Transcript> = {}): Transcript {
  const segment = { startMs: 0, endMs: 1000, text, avgLogprob: -0.2, noSpeechProb: 0.01, words: [] }
  return {
    text,
    segments: text === '' ? [] : [segment],
    language: 'en',
    languageProbability: 0.9,
    model: 'tiny.en-q5_1',
    durationMs: 1600,
    processingMs: { decode: 5, transcribe: 50 },
    ...more,
  }
}

/** A recording as intake hands it over: in the incoming folder, whole and recognised. */
export async function receive(dataFolder: string, from = short): Promise<IncomingAudio> {
  const path = join(dataFolder, 'incoming', `${randomUUID()}.part`)
  await mkdir(join(dataFolder, 'incoming'), { recursive: true })
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
  ...more,
})

/** A new capture and its job; throws where it was refused. */
export async function capture(archive: TestArchive, more: Partial<CaptureFields> = {}) {
  const incoming = await receive(archive.dataFolder)
  const created = await archive.captures.create({ incoming, fields: fields(more) })
  if (!created.ok) throw new Error(created.failure.message)
  return created.value
}

/** A job that has ended. */
export async function endedJob({ jobs }: Pick<TestArchive, 'jobs'>, jobId: string) {
  if ((await jobs.wait(jobId, { timeoutMs: 20_000 })) === null) throw new Error(`job ${jobId} has not ended`)
  return jobs.get(jobId)
}

/** A capture whose first job has ended. */
export async function finishedCapture(archive: TestArchive, more: Partial<CaptureFields> = {}) {
  const { capture: made, jobId } = await capture(archive, more)
  await endedJob(archive, jobId)
  return (await archive.captures.get(made.id))!
}
