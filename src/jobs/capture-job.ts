// The work of one job on a capture: transcribe or refine it, write the outcome, or retry or fail the job.

import type { Database } from '../../db/database.ts'
import { setJobProgress } from '../../db/jobs.ts'
import type { JobRow } from '../../db/schema.ts'
import type { AudioKind } from '../audio/audio-file.ts'
import type { BegunJob, Capture } from '../captures/capture.ts'
import { audioKindOf } from '../captures/capture-files.ts'
import type { JobWork } from '../captures/capture-jobs.ts'
import type { Captures } from '../captures/captures.ts'
import type { DictatedTranscript, Dictation } from '../dictation/dictation.ts'
import type { Publish } from '../lib/events.ts'
import type { Log } from '../lib/log.ts'
import { isMissing } from '../lib/os-errors.ts'
import { fail, type Result, succeed } from '../lib/result.ts'
import { uniqueWarnings } from '../lib/warning.ts'
import type { Settings } from '../settings/settings.ts'
import { DamagedRecordingError, StoreError } from '../store/store.ts'
import type { Refined, Refiner } from '../writing/refined.ts'
import type { WritingStyles } from '../writing/styles.ts'
import type { JobCompletions } from './completions.ts'
import { type JobAttempt, type JobHandler, RETRIES } from './queue.ts'
import type { JobOutcome } from './workers.ts'

export type CaptureJobDeps = {
  refiner: Refiner
  captures: Captures
  database: Database
  dictation: Dictation
  styles: Pick<WritingStyles, 'match'>
  settings: { current(): Settings }
  publish: Publish
  completions: Pick<JobCompletions, 'clipboardOf'>
  log: Log
}

type Failure = { code: string; message: string }

/** While at least one server is live, no start counts the deaths of the others. */
const MAX_ATTEMPTS = 16

export function createCaptureJob(deps: CaptureJobDeps): JobHandler {
  const { captures, log } = deps
  return async (key, attempt) => {
    const work = await captures.work.begin(key)
    if (work === null) return 'done'
    const { job } = work
    if (job.attempts > MAX_ATTEMPTS) {
      const message = `The servers that worked on this recording ended ${MAX_ATTEMPTS} times.`
      await captures.work.fail(job, { code: 'gave_up', message })
      return 'done'
    }
    const where = { jobId: job.id, captureId: job.captureId, kind: job.kind }
    try {
      log.debug({ phase: 'decoding', ...where }, 'begun')
      const written = await perform(deps, work, attempt.signal)
      if (!written.ok) return await retryOrFail(deps, { job, attempt, failure: written.failure })
      if (written.value) log.info({ phase: 'completed', ...where }, 'job completed')
      return 'done'
    } catch (error) {
      log.error(
        { ...where, reason: error instanceof Error ? error.message : String(error) },
        'a job failed with an unexpected error',
      )
      const failure = { code: 'internal_error', message: 'Something went wrong inside the server.' }
      return retryOrFail(deps, { job, attempt, failure })
    }
  }
}

async function perform(
  deps: CaptureJobDeps,
  work: JobWork,
  signal: AbortSignal,
): Promise<Result<boolean, Failure>> {
  switch (work.job.kind) {
    case 'transcribe':
    case 'retranscribe':
      return transcribeCapture(deps, work, signal)
    case 'refine':
      return succeed(await refineCapture(deps, work, signal))
  }
}

const PROGRESS_INTERVAL_MS = 500
/** The rules take a millisecond, too short to display; a language model takes seconds. */
const SHOWN_AFTER_MS = 100

/** True when the outcome was written; false when the job was cancelled meanwhile. */
async function transcribeCapture(
  deps: CaptureJobDeps,
  { job, capture }: JobWork,
  signal: AbortSignal,
): Promise<Result<boolean, Failure>> {
  const { captures, log } = deps
  const audio = await audioOf(deps, capture)
  if (!audio.ok) return audio
  const transcribed = await deps.dictation.transcribe({
    ...audio.value,
    model: job.model,
    styleModel: wishOf(deps, capture, job.language),
    language: job.language,
    task: 'transcribe',
    prompt: job.prompt,
    applyDictionary: null,
    clipboard: () => deps.completions.clipboardOf(job.id),
    signal,
    onProgress: reportProgress(deps, job),
    onDecoded: () => log.debug({ phase: 'transcribing', jobId: job.id }, 'transcribing'),
  })
  if (!transcribed.ok) return transcribed
  const wanted = isToBeRefined(deps, job, transcribed.value)
  const refined = wanted
    ? await refineWithStatus(deps, { job, capture, transcribed: transcribed.value, signal })
    : null
  if (wanted && signal.aborted) return fail({ code: 'aborted', message: 'The refinement was cancelled.' })
  const warnings = uniqueWarnings(transcribed.value.warnings, refined?.warnings ?? [])
  const outcome = { transcript: transcribed.value, refined, warnings }
  return succeed(await captures.work.completeTranscription(job, outcome))
}

type ToRefine = Pick<JobWork, 'job' | 'capture'> & { transcribed: DictatedTranscript; signal: AbortSignal }

/** Publishes the refinement if it takes long, and never after the outcome. */
async function refineWithStatus(
  deps: CaptureJobDeps,
  { job, capture, transcribed, signal }: ToRefine,
): Promise<Refined> {
  const { captures, log } = deps
  log.debug({ phase: 'refining', jobId: job.id }, 'refining')
  let shown = Promise.resolve()
  const timer = setTimeout(() => {
    shown = captures.work
      .showRefining(job)
      .catch((error: Error) =>
        log.warn({ jobId: job.id, reason: error.message }, 'could not publish the "refining" status'),
      )
  }, SHOWN_AFTER_MS)
  try {
    const language = transcribed.language ?? job.language
    return await refineTranscript(deps, { job, capture, text: transcribed.text, language, signal })
  } finally {
    clearTimeout(timer)
    await shown
  }
}

/** The model of the writing style, if the style is known before the transcription. */
const wishOf = ({ styles }: CaptureJobDeps, capture: Capture, language: string | null): string | null => {
  const { appName, appId, appUrl, writingStyleId } = capture
  const place = { appName, appId, appUrl, writingStyleId, language, category: null }
  return styles.match(place).style.sttModel
}

const isToBeRefined = ({ settings }: CaptureJobDeps, job: JobRow, { text }: DictatedTranscript): boolean =>
  text !== '' && !job.keepRefined && (job.refinement?.refine ?? settings.current().autoRefine)

async function audioOf(
  { captures, log }: CaptureJobDeps,
  capture: Capture,
): Promise<Result<{ path: string; kind: AudioKind }, Failure>> {
  try {
    const path = await captures.work.audioFile(capture)
    const kind = audioKindOf(path)
    if (kind !== null) return succeed({ path, kind })
    return fail({ code: 'undecodable_audio', message: 'This is not audio in a format that can be read.' })
  } catch (error) {
    if (isMissing(error)) return fail({ code: 'audio_gone', message: 'The audio of this capture is gone.' })
    if (!(error instanceof StoreError)) throw error
    log.error({ captureId: capture.id, reason: error.message }, 'could not read a recording from the store')
    return error instanceof DamagedRecordingError ? fail(AUDIO_DAMAGED) : fail(STORE_UNAVAILABLE)
  }
}

const AUDIO_DAMAGED = {
  code: 'audio_damaged',
  message:
    'The stored recording is not what was received. Restore it from a backup, and transcribe it again.',
}
/** The job waits for the store, however long that takes. */
const STORE_UNAVAILABLE = {
  code: 'store_unavailable',
  message: 'The store of the recordings does not answer.',
}

/** At most two writes a second; the outcome writes the final state. */
function reportProgress(
  { database, publish, log }: CaptureJobDeps,
  { id: jobId, captureId }: JobRow,
): (fraction: number) => void {
  let nextAt = 0
  return (fraction) => {
    if (fraction >= 1 || performance.now() < nextAt) return
    nextAt = performance.now() + PROGRESS_INTERVAL_MS
    const progress = Math.min(Math.max(fraction, 0), 1)
    publish({ name: 'job.progress', jobId, captureId, state: 'active', progress })
    database
      .run((orm) => setJobProgress(orm, jobId, progress))
      .catch((error: Error) => log.warn({ jobId, reason: error.message }, 'could not store job progress'))
  }
}

/** True when the outcome was written; false when the job was cancelled meanwhile. */
async function refineCapture(
  deps: CaptureJobDeps,
  { job, capture }: Pick<JobWork, 'job' | 'capture'>,
  signal: AbortSignal,
): Promise<boolean> {
  const { transcriptRaw: text, detectedLanguage, language } = capture
  const refined = await refineTranscript(deps, {
    job,
    capture,
    text,
    signal,
    language: detectedLanguage ?? language,
  })
  return !signal.aborted && deps.captures.work.completeRefinement(job, refined)
}

type Text = {
  job: JobRow
  capture: Capture
  text: string
  /** ISO 639-1 */
  language: string | null
  signal: AbortSignal
}

/** Options of the job take precedence over those of the capture, then the style's and the settings'. */
const refineTranscript = (
  { refiner }: CaptureJobDeps,
  { job, capture, text, language, signal }: Text,
): Promise<Refined> =>
  refiner.refine(text, {
    language,
    written: job.language ?? capture.language,
    app: capture,
    writingStyleId: job.refinement?.writingStyleId ?? capture.writingStyleId,
    flags: job.refinement?.flags ?? null,
    useLlm: job.refinement?.useLlm ?? null,
    llmModel: job.refinement?.llmModel ?? null,
    signal,
  })

/** A retry may succeed; all other failures are caused by the recording or the model. */
const WORTH_ANOTHER_ATTEMPT = new Set<string>([
  'engine_crashed',
  'engine_timeout',
  'decode_timeout',
  'decoder_crashed',
  'speech_detector_failed',
  'disk_full',
  'internal_error',
  AUDIO_DAMAGED.code,
])

/** `failure.code` is one of transcription's, or `internal_error` */
type FailedJob = { job: BegunJob; attempt: JobAttempt; failure: { code: string; message: string } }

async function retryOrFail(
  { captures, log }: CaptureJobDeps,
  { job, attempt, failure }: FailedJob,
): Promise<JobOutcome> {
  const { signal } = attempt
  // A job that was put back while the store was away has had more deliveries than attempts.
  const isLast = attempt.isLast && job.attempts > RETRIES
  const { code, message } = failure
  if (signal.aborted && signal.reason === 'canceled') {
    log.debug({ phase: 'canceled', jobId: job.id }, 'canceled')
    return 'done'
  }
  if (signal.aborted || code === 'engine_closed' || code === STORE_UNAVAILABLE.code) {
    return (await captures.work.putBack(job, { countAttempt: false })) ? 'again' : 'done'
  }
  log.warn({ jobId: job.id, code, isLast }, 'a job failed')
  if (WORTH_ANOTHER_ATTEMPT.has(code) && !isLast) {
    return (await captures.work.putBack(job, { countAttempt: true })) ? 'again' : 'done'
  }
  await captures.work.fail(job, { code, message })
  return 'done'
}
