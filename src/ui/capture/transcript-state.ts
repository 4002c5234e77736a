// What the blocks of a transcript share: which one is being written, and the word that a person has chosen.
// The words themselves are timed-words.ts's.

import { type Signal, signal } from '@preact/signals'

export type TranscriptState = {
  /** of the capture */
  id: string
  /** the segment that is being written, and what of its text is selected at first */
  editing: Signal<{ segment: number; from: number; to: number } | null>
  /** the unsure word that one is at */
  chosen: Signal<{ segment: number; from: number; to: number } | null>
}

export const createTranscriptState = (id: string): TranscriptState => ({
  id,
  editing: signal(null),
  chosen: signal(null),
})
