// The capture shown in place of a new recording: restored by Undo, left over, or the sample.

import { signal } from '@preact/signals'
import { currentTake } from './recorder.ts'

export const keptShown = signal<string | null>(null)

export function showKept(id: string): void {
  currentTake.value = null
  keptShown.value = id
}
