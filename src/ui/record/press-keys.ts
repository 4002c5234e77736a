// The keys of the recorder: Space held is speech, Space pressed begins and ends, Enter ends, Escape cancels.
// The button by pointer is record-button.tsx's.

import { cancelWithUndo } from './cancelling.ts'
import { pressMode } from './choices.ts'
import { hold, holdNoLonger, letGo, letGoOutOfSight } from './holding.ts'
import { recorderState, stopRecording, wakeMicrophone } from './recorder.ts'

/** Held longer than this, releasing it ends the recording. */
const HELD_MS = 400

/** Nothing that takes keys of its own has the focus. */
const isFree = (target: EventTarget | null): boolean =>
  target instanceof Element && (target === document.body || target.matches('main, h1, [data-record]'))

/** @returns what ends it */
export function followKeys(): () => void {
  const over = new AbortController()
  const listening = { signal: over.signal }
  /** when Space went down and began a recording */
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
      if (event.ctrlKey || event.metaKey || event.altKey || !isFree(event.target)) return
      if (event.key === 'Enter' && isBusy && !(event.target as Element).matches('[data-record]'))
        return void stopRecording()
      if (event.key !== ' ') return
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
      if (event.key !== ' ') return
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
