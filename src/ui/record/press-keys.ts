// The keys of the recorder: Space, or what was chosen in its place, held is speech, pressed begins and ends; Enter ends,
// Escape cancels.
// The button by pointer is record-button.tsx's.

import { isBareKey, isPartOfChord, matchesChord } from '../keys/chord.ts'
import { shortcuts } from '../keys/shortcuts.ts'
import { cancelWithUndo } from './cancelling.ts'
import { pressMode } from './choices.ts'
import { hold, holdNoLonger, letGo, letGoOutOfSight } from './holding.ts'
import { recorderState, stopRecording, wakeMicrophone } from './recorder.ts'

/** Held longer than this, releasing it ends the recording. */
const HELD_MS = 400

/** Nothing that takes keys of its own has the focus. */
const isFree = (target: EventTarget | null): boolean =>
  target instanceof Element && (target === document.body || target.matches('main, h1, [data-record]'))

const isInDialog = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('dialog') !== null

/** @returns what ends it */
export function followKeys(): () => void {
  const over = new AbortController()
  const listening = { signal: over.signal }
  /** when the keys went down and began a recording */
  let pressedAt: number | null = null

  const release = () => {
    if (pressedAt === null) return
    const isHeld = performance.now() - pressedAt > HELD_MS || pressMode.value === 'hold'
    pressedAt = null
    if (isHeld) letGo()
    else holdNoLonger()
  }

  window.addEventListener(
    'keydown',
    (event) => {
      wakeMicrophone()
      const isBusy = recorderState.value !== 'idle'
      if (event.key === 'Escape' && isBusy) return cancelWithUndo()
      const isEnter = event.key === 'Enter' && !event.ctrlKey && !event.metaKey && !event.altKey
      if (isEnter && isBusy && isFree(event.target) && !(event.target as Element).matches('[data-record]'))
        return void stopRecording()
      const chord = shortcuts.talk.value
      if (chord === null || !matchesChord(chord, event)) return
      // What writes nothing counts wherever the focus is.
      const isMeant = isBareKey(chord) ? isFree(event.target) : !isInDialog(event.target)
      if (!isMeant) return
      // Also for those that follow while it is held: they would scroll.
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
  const heedNoMore = letGoOutOfSight()
  return () => {
    heedNoMore()
    over.abort()
  }
}
