// What a transcription leaves in its capture: the texts, and the earlier ones as a version.
// When and how it is written is job-work.ts.

import type { JobRow } from '../../db/schema.ts'
import type { DictatedTranscript } from '../dictation/dictation.ts'
import type { Refined } from '../writing/refined.ts'
import type { CaptureVersion } from './capture.ts'
import type { CaptureChange } from './change-capture.ts'
import type { CaptureRecord } from './record.ts'
import { refinedAs } from './refinement-outcome.ts'
import { withEarlierState } from './versions.ts'
import { countWords } from './words.ts'

/** `refined` is null where the text was to be left as it was heard. */
export type Transcribed = { heard: DictatedTranscript; refined: Refined | null }

export function transcriptionOutcome(
  current: CaptureRecord,
  { job, heard, refined, now }: Transcribed & { job: JobRow; now: Date },
): { change: CaptureChange; versions: CaptureVersion[] } {
  const before = current.capture
  const { text, engineText, segments, language, languageProbability, model, durationMs } = heard
  const kept = job.keepRefined && before.transcriptRefined !== null
  const change: CaptureChange = {
    status: 'completed',
    // What was cut off while it arrived stays so, whatever is understood of it.
    error: before.error?.code === 'upload_interrupted' ? before.error : null,
    language: job.language,
    detectedLanguage: language,
    languageProbability,
    durationMs: Math.round(durationMs),
    transcriptRaw: text,
    transcriptEngine: engineText,
    sttModel: model,
    corrections: heard.corrections,
    processingMs: { ...heard.processingMs, refine: kept ? before.processingMs.refine : null },
    segments,
    ...(kept ? { wordCount: countWords(before.transcriptRefined ?? text) } : unrefined(text)),
  }
  const versions = withEarlierState(current, { at: now, by: 'server' })
  if (kept || refined === null) return { change, versions }
  return { change: { ...change, ...refinedAs({ ...before, ...change }, refined) }, versions }
}

const unrefined = (text: string) => ({
  transcriptRefined: null,
  refinementStatus: 'none' as const,
  refinementFlags: null,
  llmModel: null,
  wordCount: countWords(text),
})
