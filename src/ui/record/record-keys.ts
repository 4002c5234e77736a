// Keys of the recorder: Space, or the configured shortcut, records while held or toggles on a press; Enter ends, Escape
// cancels.

import { isBareKey, isPartOfChord, matchesChord } from '../keys/chord.ts'
import { shortcuts } from '../keys/shortcuts.ts'
import { pressMode } from './choices.ts'
import { cancelHold, hold, releaseHold, releaseWhenHidden } from './record-button.tsx'
import { recorderState, stopRecording, wakeMicrophone } from './recorder.ts'
import { cancelWithUndo } from './stored-capture.ts'

/** Releasing the key after a longer press ends the recording. */
const HELD_MS = 400

/** The focused element does not use keys itself. */
const isFree = (target: EventTarget | null): boolean =>
  target instanceof Element && (target === document.body || target.matches('main, h1, [data-record]'))

const isInDialog = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('dialog') !== null

/** @returns a function that removes the handlers */
export function followKeys(): () => void {
  const over = new AbortController()
  const listening = { signal: over.signal }
  /** when the press that started a recording began */
  let pressedAt: number | null = null

  const release = () => {
    if (pressedAt === null) return
    const isHeld = performance.now() - pressedAt > HELD_MS || pressMode.value === 'hold'
    pressedAt = null
    if (isHeld) releaseHold()
    else cancelHold()
  }

  window.addEventListener(
    'keydown',
    (event) => {
      wakeMicrophone()
      const isBusy = recorderState.value !== 'idle'
      // With an open menu, Escape closes that instead.
      const isForMenu = document.querySelector(':popover-open') !== null
      if (event.key === 'Escape' && isBusy && !isForMenu) return cancelWithUndo()
      const isEnter = event.key === 'Enter' && !event.ctrlKey && !event.metaKey && !event.altKey
      if (isEnter && isBusy && isFree(event.target) && !(event.target as Element).matches('[data-record]'))
        return void stopRecording()
      const chord = shortcuts.talk.value
      if (chord === null || !matchesChord(chord, event)) return
      // A chord that types nothing works with any focus.
      const isMeant = isBareKey(chord) ? isFree(event.target) : !isInDialog(event.target)
      if (!isMeant) return
      // Also the repeats while held: they would scroll the page.
      event.preventDefault()
      if (event.repeat) return
      if (isBusy) return void stopRecording()
      pressedAt = performance.now()
      hold()
    },
    listening,
  )
  // Whatever has the focus by now, and whatever else is held down.
  window.addEventListener(
    'keyup',
    (event) => {
      const chord = shortcuts.talk.value
      if (chord === null || !isPartOfChord(chord, event)) return
      if (isFree(event.target)) event.preventDefault()
      release()
    },
    listening,
  )
  const stopWatching = releaseWhenHidden()
  return () => {
    stopWatching()
    over.abort()
  }
}
