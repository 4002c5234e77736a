// What is held while one speaks, a key or the button, and what ends it besides its release: the page out of sight, where
// no release is heard of, and two minutes, after which a key is rather stuck. Toggled recordings have no such end.

import { effect, signal } from '@preact/signals'
import { note } from '../parts/toasts.tsx'
import { strings } from '../strings/strings.ts'
import { recorderState, startRecording, stopRecording } from './recorder.ts'

const LONGEST_MS = 120_000
const WARNED_MS = 10_000

/** told before it ends */
export const endsSoon = signal(false)

let isHolding = false
let timer: ReturnType<typeof setTimeout> | undefined

export function hold(): void {
  isHolding = true
  timer = setTimeout(() => {
    endsSoon.value = true
    timer = setTimeout(() => {
      letGo()
      note(strings.value.record.heldTooLong)
    }, WARNED_MS)
  }, LONGEST_MS - WARNED_MS)
  void startRecording()
}

/** It was pressed, not held: what it began goes on. */
export function holdNoLonger(): void {
  isHolding = false
  clearTimeout(timer)
  endsSoon.value = false
}

// However it ended: cancelled, by silence, or because there is no microphone.
effect(() => {
  if (recorderState.value === 'idle') holdNoLonger()
})

/** Ends what is held, if anything is. */
export function letGo(): void {
  if (!isHolding) return
  holdNoLonger()
  void stopRecording()
}

/** The release may come where this page does not hear of it. @returns what ends it */
export function letGoOutOfSight(): () => void {
  const over = new AbortController()
  const listening = { signal: over.signal }
  window.addEventListener('blur', letGo, listening)
  window.addEventListener('pagehide', letGo, listening)
  document.addEventListener('visibilitychange', () => document.hidden && letGo(), listening)
  return () => {
    letGo()
    over.abort()
  }
}
