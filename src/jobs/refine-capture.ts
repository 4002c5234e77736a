// The work of one refinement job: the text of a capture written as its writing style says.
// How that is done is src/writing/refiner.ts.

import type { JobRow } from '../../db/schema.ts'
import type { Capture } from '../captures/capture.ts'
import type { Captures } from '../captures/captures.ts'
import type { JobWork } from '../captures/job-work.ts'
import type { Refined, Refiner } from '../writing/refined.ts'
import type { JobCompletions } from './job-completions.ts'

export type RefineDeps = { refiner: Refiner }

/** True when the outcome was written; false when the job was cancelled meanwhile. */
export async function refineCapture(
  deps: RefineDeps & { captures: Captures; completions: Pick<JobCompletions, 'note'> },
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
  deps.completions.note(job.id, refined.warnings)
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

/** What the job asks for comes before what the capture was made with; the style's and the settings' come after. */
export const refineTranscript = (
  { refiner }: RefineDeps,
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
