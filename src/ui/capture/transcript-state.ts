// State that the segment blocks of a transcript share.

import { type Signal, signal } from '@preact/signals'

export type TranscriptState = {
  /** id of the capture */
  id: string
  /** the segment being edited, and the initial selection in its text */
  editing: Signal<{ segment: number; from: number; to: number } | null>
  /** the current unsure word */
  chosen: Signal<{ segment: number; from: number; to: number } | null>
}

export const createTranscriptState = (id: string): TranscriptState => ({
  id,
  editing: signal(null),
  chosen: signal(null),
})
