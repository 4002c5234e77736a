// What a transcription job does to its capture: begin, complete, fail, put back.
// The job itself is src/jobs/transcribe-job.ts; nothing else writes transcripts.

import { join } from 'node:path'
import { saveCapture, setCaptureStatus } from '../../db/captures.ts'
import { endJob, requeueJobs, startJob } from '../../db/jobs.ts'
import type { JobRow } from '../../db/schema.ts'
import type { Log } from '../lib/log.ts'
import type { Transcript } from '../transcription/transcript.ts'
import type { Capture, CaptureError, CaptureVersion } from './capture.ts'
import { type Archive, type Current, changeCapture, currentState, notePromise } from './change-capture.ts'
import type { Delivery, JobKey } from './delivery.ts'
import { toRow } from './index-row.ts'
import { type CaptureRecord, readRecord } from './record.ts'
import { countWords } from './words.ts'

type Deps = Archive & { delivery: Delivery; log: Log }

export type TranscriptionWork = { job: JobRow; audioFile: string }

/** Takes a job up and counts the attempt; null when there is nothing to do any more. */
export async function beginTranscription(
  deps: Deps,
  { id, captureId }: JobKey,
): Promise<TranscriptionWork | null> {
  const { database, dataFolder, clock } = deps
  return deps.lock(captureId, async () => {
    // What the rows say of the beginning is set right at the next start when the process dies after it.
    const job = await database.run((orm) => startJob(orm, id, clock()))
    if (job === null) return null
    const current = await recordOrRow(deps, captureId)
    if (current === null) return null
    if (current.lastJobId === id) {
      await commitJournaled(deps, current, id)
      return null
    }
    return { job, audioFile: join(dataFolder, current.capture.audioPath) }
  })
}

/** The record, which is read faster than its row; the row where the record is spoiled. */
async function recordOrRow(deps: Deps, id: string): Promise<CaptureRecord | null> {
  const record = await readRecord(deps.dataFolder, id)
  const isWhole = record !== null && record !== 'unreadable' && record.state === 'kept'
  return isWhole ? record : currentState(deps, id)
}

/** The outcome was written, and then the process died before the index followed. */
async function commitJournaled(deps: Deps, { capture }: CaptureRecord, jobId: string): Promise<void> {
  const state = capture.status === 'failed' || capture.status === 'canceled' ? capture.status : 'completed'
  await deps.database.transaction(async (tx) => {
    await saveCapture(tx, toRow(capture))
    await endJob(tx, { id: jobId, state, error: capture.error, now: deps.clock() })
  })
  deps.delivery.ended(jobId, capture)
}

/** False when the job was cancelled meanwhile, and then nothing is written. */
export async function completeTranscription(
  deps: Deps,
  key: JobKey,
  transcript: Transcript,
): Promise<boolean> {
  const jobId = key.id
  const completed = await inTurn(deps, key, async (current, job) => {
    if (job.state !== 'active') return null
    return changeCapture(deps, {
      current,
      change: outcomeOf(current.capture, job, transcript),
      versions: withEarlierState(current, deps.clock()),
      lastJobId: jobId,
      onJournaled: () => deps.log.debug({ phase: 'result_journaled', jobId }, 'result_journaled'),
      alongside: async (tx) => {
        await endJob(tx, { id: jobId, state: 'completed', error: null, now: deps.clock() })
      },
    })
  })
  if (completed !== null) deps.delivery.ended(jobId, completed)
  return completed !== null
}

function outcomeOf(before: Capture, job: JobRow, transcript: Transcript) {
  const { text, segments, language, languageProbability, model, durationMs, processingMs } = transcript
  const transcriptRefined = job.keepRefined ? before.transcriptRefined : null
  return {
    status: 'completed' as const,
    error: null,
    language: job.language,
    detectedLanguage: language,
    languageProbability,
    durationMs: Math.round(durationMs),
    transcriptRaw: text,
    transcriptEngine: text,
    transcriptRefined,
    refinementStatus: transcriptRefined === null ? ('none' as const) : before.refinementStatus,
    sttModel: model,
    wordCount: countWords(transcriptRefined ?? text),
    processingMs: { ...processingMs, refine: transcriptRefined === null ? null : before.processingMs.refine },
    segments,
  }
}

/** What is replaced is kept, unless there was no transcript before. */
function withEarlierState({ capture, versions }: CaptureRecord, replacedAt: Date): CaptureVersion[] {
  if (capture.status !== 'completed') return versions
  const { sttModel, language, detectedLanguage, transcriptRaw, transcriptEngine, transcriptRefined } = capture
  const earlier = {
    number: versions.length + 1,
    ...{ sttModel, language, detectedLanguage, transcriptRaw, transcriptEngine, transcriptRefined },
    segments: capture.segments,
    createdAt: replacedAt,
  }
  return [...versions, earlier]
}

/** The job has failed for good. A transcript that was there before stays, and the capture with it. */
export async function failTranscription(deps: Deps, key: JobKey, error: CaptureError): Promise<void> {
  const end = { id: key.id, state: 'failed' as const, error, now: deps.clock() }
  const failed = await inTurn(deps, key, async (current) => {
    if (current.capture.status === 'completed') {
      await notePromise(deps, current, null)
      await deps.database.run((orm) => endJob(orm, end))
      return current.capture
    }
    return changeCapture(deps, {
      current,
      change: { status: 'failed', error },
      lastJobId: key.id,
      alongside: async (tx) => {
        await endJob(tx, end)
      },
    })
  })
  if (failed !== null) deps.delivery.ended(key.id, failed)
}

/** Back into the queue. The attempt counts when the job itself may have been the cause of the stop. */
export async function putTranscriptionBack(
  deps: Deps,
  key: JobKey,
  { countAttempt }: { countAttempt: boolean },
): Promise<void> {
  await inTurn(deps, key, async ({ capture }) => {
    await deps.database.transaction(async (tx) => {
      await requeueJobs(tx, [key.id], countAttempt)
      await setCaptureStatus(tx, { ids: [capture.id], from: 'transcribing', to: 'pending' })
    })
  })
}

/** In the turn of the job's capture; null when job or capture are gone, or the job is over. */
async function inTurn<T>(
  deps: Deps,
  { id, captureId }: JobKey,
  work: (current: Current, job: JobRow) => Promise<T>,
): Promise<T | null> {
  return deps.lock(captureId, async () => {
    const current = await currentState(deps, captureId)
    return current?.job?.id === id ? work(current, current.job) : null
  })
}
