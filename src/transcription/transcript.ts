// The transcript of a whole recording, joined from its windows.
// Holds no behaviour.

import type { Segment } from '../engine/engine.ts'
import type { Warning } from '../lib/warning.ts'

/** Times count from the start of the recording. */
export type Transcript = {
  text: string
  /** ordered, not overlapping */
  segments: Segment[]
  /** ISO 639-1; null where nothing was said */
  language: string | null
  languageProbability: number | null
  /** catalogue name of the model that was used */
  model: string
  durationMs: number
  /** what was not transcribed of the recording, and what was requested and could not be done */
  warnings: Warning[]
  processingMs: { decode: number; transcribe: number }
}
