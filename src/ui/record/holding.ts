// Push-to-talk: a key or the button is held while speaking. Besides its release, the recording ends when the page is
// hidden or the window loses the focus, where a release is not reported, and after two minutes, when the key is
// probably stuck. Toggled recordings have no such limit.

import { effect, signal } from '@preact/signals'
import { note } from '../parts/toasts.tsx'
import { strings } from '../strings/strings.ts'
import { recorderState, startRecording, stopRecording } from './recorder.ts'

const LONGEST_MS = 120_000
const WARNED_MS = 10_000

/** warns before the time limit */
export const endsSoon = signal(false)

let isHolding = false
let timer: ReturnType<typeof setTimeout> | undefined

export function hold(): void {
  isHolding = true
  timer = setTimeout(() => {
    endsSoon.value = true
    timer = setTimeout(() => {
      releaseHold()
      note(strings.value.record.heldTooLong)
    }, WARNED_MS)
  }, LONGEST_MS - WARNED_MS)
  void startRecording()
}

/** It was a press, not a hold: the recording continues. */
export function cancelHold(): void {
  isHolding = false
  clearTimeout(timer)
  endsSoon.value = false
}

// However the recording ended: cancelled, by silence, or without a microphone.
effect(() => {
  if (recorderState.value === 'idle') cancelHold()
})

/** Ends a held recording, if there is one. */
export function releaseHold(): void {
  if (!isHolding) return
  cancelHold()
  void stopRecording()
}

/** Ends the hold in cases where this page may miss the release. @returns a function that removes the handlers */
export function releaseWhenHidden(): () => void {
  const over = new AbortController()
  const listening = { signal: over.signal }
  window.addEventListener('blur', releaseHold, listening)
  window.addEventListener('pagehide', releaseHold, listening)
  document.addEventListener('visibilitychange', () => document.hidden && releaseHold(), listening)
  return () => {
    releaseHold()
    over.abort()
  }
}
