// The transcript of a whole recording.

import type { Segment } from '../engine/engine.ts'
import type { Warning } from '../lib/warning.ts'

/** Times count from the start of the recording. */
export type Transcript = {
  text: string
  /** ordered, not overlapping */
  segments: Segment[]
  /** ISO 639-1; null if there was no speech */
  language: string | null
  languageProbability: number | null
  /** catalogue name of the model that was used */
  model: string
  durationMs: number
  /** parts that were not transcribed, and requested options that could not be honoured */
  warnings: Warning[]
  processingMs: { decode: number; transcribe: number }
}
