// One transcription: model, recogniser, and the outcome into the capture.
// Which failures are worth another attempt is decided here; the texts of failures come from below.

import type { Database } from '../../db/database.ts'
import { setJobProgress } from '../../db/jobs.ts'
import type { AudioKind } from '../audio/audio-file.ts'
import { audioKindOf } from '../captures/capture-files.ts'
import type { Captures } from '../captures/captures.ts'
import type { JobKey } from '../captures/delivery.ts'
import type { TranscriptionWork } from '../captures/transcription-work.ts'
import type { ModelFile } from '../engine/engine.ts'
import type { Log } from '../lib/log.ts'
import { fail, type Result } from '../lib/result.ts'
import type { TranscriptionFailure, TranscriptionRequest } from '../transcription/transcribe-recording.ts'
import type { Transcript } from '../transcription/transcript.ts'
import type { Attempt, JobHandler } from './worker.ts'

type Failure = { code: string; message: string }

export type TranscribeJobDeps = {
  captures: Captures
  database: Database
  models: { resolve(name: string | null): Promise<Result<ModelFile, Failure>> }
  transcriber: { transcribe(request: TranscriptionRequest): Promise<Result<Transcript, Failure>> }
  log: Log
}

/** May succeed when it is tried again; every other failure is the recording's or the model's own. */
const WORTH_ANOTHER_ATTEMPT = new Set<string>([
  'engine_crashed',
  'engine_timeout',
  'decode_timeout',
  'decoder_crashed',
  'speech_detector_failed',
  'disk_full',
  'internal_error',
] satisfies (TranscriptionFailure['code'] | 'internal_error')[])

const PROGRESS_INTERVAL_MS = 500

export function createTranscribeJob(deps: TranscribeJobDeps): JobHandler {
  const { captures, log } = deps
  return async (key, attempt) => {
    const work = await captures.transcription.begin(key)
    if (work === null) return 'done'
    const { job } = work
    const where = { jobId: job.id, captureId: job.captureId }
    try {
      log.debug({ phase: 'decoding', ...where }, 'decoding')
      const result = await transcribe(deps, work, attempt.signal)
      if (!result.ok) return await settleFailure(deps, { job, attempt, failure: result.failure })
      const kept = await captures.transcription.complete(job, result.value)
      if (kept) log.info({ phase: 'completed', ...where }, 'transcribed')
      return 'done'
    } catch (error) {
      log.error({ ...where, reason: error instanceof Error ? error.message : String(error) }, 'a job broke')
      const failure = { code: 'internal_error', message: 'Something went wrong inside the server.' }
      return settleFailure(deps, { job, attempt, failure })
    }
  }
}

async function transcribe(
  deps: TranscribeJobDeps,
  { job, audioFile }: TranscriptionWork,
  signal: AbortSignal,
): Promise<Result<Transcript, Failure>> {
  const model = await deps.models.resolve(job.model)
  if (!model.ok) return model
  const kind = kindOf(audioFile)
  if (!kind.ok) return kind
  return deps.transcriber.transcribe({
    path: audioFile,
    kind: kind.value,
    model: model.value,
    language: job.language,
    task: 'transcribe',
    prompt: job.prompt,
    signal,
    onProgress: progressWriter(deps, job.id),
    onDecoded: () => deps.log.debug({ phase: 'transcribing', jobId: job.id }, 'transcribing'),
  })
}

function kindOf(audioFile: string): Result<AudioKind, Failure> {
  try {
    const kind = audioKindOf(audioFile)
    if (kind !== null) return { ok: true, value: kind }
    return fail({ code: 'undecodable_audio', message: 'This is not audio in a format that can be read.' })
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT')
      return fail({ code: 'audio_gone', message: 'The audio of this capture is gone.' })
    throw error
  }
}

/** Only the newest matters: at most two writes a second. The end of it all is written with the outcome. */
function progressWriter({ database, log }: TranscribeJobDeps, jobId: string): (fraction: number) => void {
  let nextAt = 0
  return (fraction) => {
    if (fraction >= 1 || performance.now() < nextAt) return
    nextAt = performance.now() + PROGRESS_INTERVAL_MS
    database
      .run((orm) => setJobProgress(orm, jobId, Math.min(Math.max(fraction, 0), 1)))
      .catch((error: Error) => log.warn({ jobId, reason: error.message }, 'progress could not be written'))
  }
}

type Settlement = { job: JobKey; attempt: Attempt; failure: Failure }

async function settleFailure(
  { captures, log }: TranscribeJobDeps,
  { job, attempt, failure }: Settlement,
): Promise<'done' | 'again'> {
  const { signal, isLast } = attempt
  const { code, message } = failure
  if (signal.aborted && signal.reason === 'canceled') return 'done'
  if (signal.aborted || code === 'engine_closed') {
    await captures.transcription.putBack(job, { countAttempt: false })
    return 'again'
  }
  log.warn({ jobId: job.id, code, isLast }, 'transcription failed')
  if (WORTH_ANOTHER_ATTEMPT.has(code) && !isLast) {
    await captures.transcription.putBack(job, { countAttempt: true })
    return 'again'
  }
  await captures.transcription.fail(job, { code, message })
  return 'done'
}
