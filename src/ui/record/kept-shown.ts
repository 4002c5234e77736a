// A capture that the view shows although it was not spoken just now: taken back, left over, or the sample.
// How it looks is kept-result.tsx's.

import { signal } from '@preact/signals'
import { currentTake } from './recorder.ts'

export const keptShown = signal<string | null>(null)

export function showKept(id: string): void {
  currentTake.value = null
  keptShown.value = id
}
