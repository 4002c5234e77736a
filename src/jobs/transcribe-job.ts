// One transcription: model, recogniser, and the outcome into the capture.
// Which failures are worth another attempt is decided here; the texts of failures come from below.

import type { Database } from '../../db/database.ts'
import { setJobProgress } from '../../db/jobs.ts'
import type { AudioKind } from '../audio/audio-file.ts'
import { audioKindOf } from '../captures/capture-files.ts'
import type { Captures } from '../captures/captures.ts'
import type { TranscriptionWork } from '../captures/transcription-work.ts'
import type { ModelFile, Task } from '../engine/engine.ts'
import type { Log } from '../lib/log.ts'
import { fail, type Result } from '../lib/result.ts'
import type { Transcript } from '../transcription/transcript.ts'
import type { Attempt, JobHandler } from './queue.ts'

type Failure = { code: string; message: string }

export type TranscribeJobDeps = {
  captures: Captures
  database: Database
  models: { resolve(name: string | null): Promise<Result<ModelFile, Failure>> }
  transcriber: {
    transcribe(request: {
      path: string
      kind: AudioKind
      model: ModelFile
      language: string | null
      task: Task
      prompt: string | null
      signal: AbortSignal
      onProgress?: (fraction: number) => void
      onDecoded?: () => void
    }): Promise<Result<Transcript, Failure>>
  }
  log: Log
}

/** May succeed when it is tried again; every other failure is the recording's or the model's own. */
const WORTH_ANOTHER_ATTEMPT = new Set([
  'engine_crashed',
  'engine_timeout',
  'decode_timeout',
  'decoder_crashed',
  'speech_detector_failed',
  'disk_full',
])

const PROGRESS_INTERVAL_MS = 500

export function createTranscribeJob(deps: TranscribeJobDeps): JobHandler {
  const { transcription } = deps.captures
  return async (jobId, attempt) => {
    try {
      const work = await transcription.begin(jobId)
      if (work === null) return 'done'
      deps.log.debug({ phase: 'decoding', jobId, captureId: work.capture.id }, 'decoding')
      const result = await transcribe(deps, work, attempt.signal)
      if (!result.ok) return await settleFailure(deps, { jobId, attempt, failure: result.failure })
      const kept = await transcription.complete({ jobId, transcript: result.value })
      if (kept) deps.log.info({ phase: 'completed', jobId, captureId: work.capture.id }, 'transcribed')
      return 'done'
    } catch (error) {
      deps.log.error({ jobId, reason: error instanceof Error ? error.message : String(error) }, 'a job broke')
      const failure = { code: 'internal_error', message: 'Something went wrong inside the server.' }
      return settleFailure(deps, { jobId, attempt, failure, again: true })
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
  const kind = await kindOf(audioFile)
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

async function kindOf(audioFile: string): Promise<Result<AudioKind, Failure>> {
  try {
    const kind = await audioKindOf(audioFile)
    if (kind !== null) return { ok: true, value: kind }
    return fail({ code: 'undecodable_audio', message: 'This is not audio in a format that can be read.' })
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT')
      return fail({ code: 'audio_gone', message: 'The audio of this capture is gone.' })
    throw error
  }
}

/** Only the newest matters: one write at a time, and at most two a second. */
function progressWriter({ database, log }: TranscribeJobDeps, jobId: string): (fraction: number) => void {
  let nextAt = 0
  return (fraction) => {
    if (performance.now() < nextAt) return
    nextAt = performance.now() + PROGRESS_INTERVAL_MS
    database
      .run((orm) => setJobProgress(orm, jobId, Math.min(Math.max(fraction, 0), 1)))
      .catch((error: Error) => log.warn({ jobId, reason: error.message }, 'progress could not be written'))
  }
}

type Settlement = { jobId: string; attempt: Attempt; failure: Failure; again?: boolean }

async function settleFailure(
  { captures, log }: TranscribeJobDeps,
  { jobId, attempt, failure, again = WORTH_ANOTHER_ATTEMPT.has(failure.code) }: Settlement,
): Promise<'done' | 'again'> {
  const { signal, isLast } = attempt
  if (signal.aborted && signal.reason === 'canceled') return 'done'
  if (signal.aborted || failure.code === 'engine_closed') {
    await captures.transcription.putBack({ jobId, countAttempt: false })
    return 'again'
  }
  log.warn({ jobId, code: failure.code, isLast }, 'transcription failed')
  if (again && !isLast) {
    await captures.transcription.putBack({ jobId, countAttempt: true })
    return 'again'
  }
  const { code, message } = failure
  await captures.transcription.fail({ jobId, error: { code, message } })
  return 'done'
}
