// The record button: pressed to start and stop, or held as long as the recording lasts.

import { effect, signal, useSignalEffect } from '@preact/signals'
import { useRef } from 'preact/hooks'
import { note } from '../parts/toasts.tsx'
import { strings } from '../strings/strings.ts'
import { pressMode } from './choices.ts'
import { level, recorderState, startRecording, stopRecording, wakeMicrophone, warmUp } from './recorder.ts'

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

export const RecordButton = ({ buttonRef }: { buttonRef: { current: HTMLButtonElement | null } }) => {
  const isHeld = useRef(false)
  const { record } = strings.value
  const isOn = recorderState.value !== 'idle'
  const byHold = pressMode.value === 'hold'
  // Bypasses Preact, because the level changes fifty times a second.
  useSignalEffect(() => {
    buttonRef.current?.style.setProperty('--level', String(Math.sqrt(level.value)))
  })
  const release = () => {
    if (isHeld.current) releaseHold()
    isHeld.current = false
  }
  return (
    <button
      type="button"
      class={isOn ? 'recordbutton on' : 'recordbutton'}
      ref={buttonRef}
      data-record
      onPointerEnter={() => void warmUp()}
      onFocus={() => void warmUp()}
      onPointerDown={(event) => {
        wakeMicrophone()
        if (!byHold || event.button !== 0) return
        event.currentTarget.setPointerCapture(event.pointerId)
        isHeld.current = true
        hold()
      }}
      onPointerUp={release}
      onPointerCancel={release}
      onLostPointerCapture={release}
      onContextMenu={(event) => byHold && event.preventDefault()}
      onClick={({ detail }) => {
        // A click without a pointer (Enter, voice control, a screen reader) cannot be held.
        if (byHold && detail !== 0) return
        void (recorderState.value === 'idle' ? startRecording() : stopRecording())
      }}
    >
      <span class="meter" aria-hidden="true" />
      <svg viewBox="0 0 24 24" aria-hidden="true">
        {isOn ? <rect x="6" y="6" width="12" height="12" rx="2" /> : <Glyph />}
      </svg>
      <span class="unseen">{isOn ? record.stop : record.start}</span>
    </button>
  )
}

const Glyph = () => (
  <>
    <rect x="8.5" y="2" width="7" height="12" rx="3.5" />
    <path d="M5 11a7 7 0 0 0 14 0M12 18v4M8.5 22h7" fill="none" />
  </>
)
