// The work of one transcription job: the recording heard, the text refined, both into the capture.
// What becomes of a failure is retry-or-fail.ts.

import type { Database } from '../../db/database.ts'
import { setJobProgress } from '../../db/jobs.ts'
import type { JobRow } from '../../db/schema.ts'
import type { AudioKind } from '../audio/audio-file.ts'
import type { Capture } from '../captures/capture.ts'
import { audioKindOf } from '../captures/capture-files.ts'
import type { Captures } from '../captures/captures.ts'
import type { JobWork } from '../captures/job-work.ts'
import type { DictatedTranscript, Dictation } from '../dictation/dictation.ts'
import type { Publish } from '../lib/events.ts'
import type { Log } from '../lib/log.ts'
import { isMissing } from '../lib/missing-file.ts'
import { fail, type Result, succeed } from '../lib/result.ts'
import { joinedWarnings } from '../lib/warning.ts'
import type { Settings } from '../settings/settings.ts'
import type { Refined } from '../writing/refined.ts'
import type { WritingStyles } from '../writing/styles.ts'
import type { JobCompletions } from './job-completions.ts'
import { type RefineDeps, refineTranscript } from './refine-capture.ts'

type Failure = { code: string; message: string }

export type TranscribeJobDeps = RefineDeps & {
  captures: Captures
  database: Database
  dictation: Dictation
  styles: Pick<WritingStyles, 'match'>
  settings: { current(): Settings }
  publish: Publish
  completions: Pick<JobCompletions, 'note' | 'clipboardOf'>
  log: Log
}

const PROGRESS_INTERVAL_MS = 500
/** The rules take a millisecond, and nobody sees what lasts no longer; a language model takes seconds. */
const SHOWN_AFTER_MS = 100

/** True when the outcome was written; false when the job was cancelled meanwhile. */
export async function transcribeCapture(
  deps: TranscribeJobDeps,
  { job, capture, audioFile }: JobWork,
  signal: AbortSignal,
): Promise<Result<boolean, Failure>> {
  const { captures, log } = deps
  const kind = kindOf(audioFile)
  if (!kind.ok) return kind
  const heard = await deps.dictation.transcribe({
    path: audioFile,
    kind: kind.value,
    model: job.model,
    wishedModel: wishOf(deps, capture, job.language),
    language: job.language,
    task: 'transcribe',
    prompt: job.prompt,
    applyDictionary: null,
    clipboard: () => deps.completions.clipboardOf(job.id),
    signal,
    onProgress: progressTeller(deps, job),
    onDecoded: () => log.debug({ phase: 'transcribing', jobId: job.id }, 'transcribing'),
  })
  if (!heard.ok) return heard
  const wanted = isToBeRefined(deps, job, heard.value)
  const refined = wanted ? await refineHeard(deps, { job, capture, heard: heard.value, signal }) : null
  if (wanted && signal.aborted) return fail({ code: 'aborted', message: 'The refinement was cancelled.' })
  // What the dictionary could not do to the text it often cannot do to the refined one either.
  deps.completions.note(job.id, joinedWarnings(heard.value.warnings, refined?.warnings ?? []))
  return succeed(await captures.work.completeTranscription(job, { heard: heard.value, refined }))
}

type ToRefine = Pick<JobWork, 'job' | 'capture'> & { heard: DictatedTranscript; signal: AbortSignal }

/** Shows that it refines where it takes long; that is never shown after the outcome. */
async function refineHeard(
  deps: TranscribeJobDeps,
  { job, capture, heard, signal }: ToRefine,
): Promise<Refined> {
  const { captures, log } = deps
  log.debug({ phase: 'refining', jobId: job.id }, 'refining')
  let shown = Promise.resolve()
  const timer = setTimeout(() => {
    shown = captures.work
      .showRefining(job)
      .catch((error: Error) => log.warn({ jobId: job.id, reason: error.message }, 'refining is not shown'))
  }, SHOWN_AFTER_MS)
  try {
    const language = heard.language ?? job.language
    return await refineTranscript(deps, { job, capture, text: heard.text, language, signal })
  } finally {
    clearTimeout(timer)
    await shown
  }
}

/** That of the style its text will be written in, as far as that is known before it is heard. */
const wishOf = ({ styles }: TranscribeJobDeps, capture: Capture, language: string | null): string | null => {
  const { appName, appId, appUrl, writingStyleId } = capture
  const place = { appName, appId, appUrl, writingStyleId, language, category: null }
  return styles.match(place).style.sttModel
}

const isToBeRefined = ({ settings }: TranscribeJobDeps, job: JobRow, { text }: DictatedTranscript): boolean =>
  text !== '' && !job.keepRefined && (job.refinement?.refine ?? settings.current().autoRefine)

function kindOf(audioFile: string): Result<AudioKind, Failure> {
  try {
    const kind = audioKindOf(audioFile)
    if (kind !== null) return { ok: true, value: kind }
    return fail({ code: 'undecodable_audio', message: 'This is not audio in a format that can be read.' })
  } catch (error) {
    if (isMissing(error)) return fail({ code: 'audio_gone', message: 'The audio of this capture is gone.' })
    throw error
  }
}

/** Only the newest matters: at most two writes a second. The end of it all is written with the outcome. */
function progressTeller(
  { database, publish, log }: TranscribeJobDeps,
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
      .catch((error: Error) => log.warn({ jobId, reason: error.message }, 'progress could not be written'))
  }
}
