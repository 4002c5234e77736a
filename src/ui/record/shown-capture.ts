// The capture shown in place of a new recording: restored by Undo, left over, or the sample.

import { signal } from '@preact/signals'
import { currentTake } from './recorder.ts'

export const shownCapture = signal<string | null>(null)

export function showCapture(id: string): void {
  currentTake.value = null
  shownCapture.value = id
}
