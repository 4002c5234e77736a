// Keyboard shortcuts of the player. Characters work only with focus in the player, or with Alt in a text field, because
// a user who dictates into the page types characters that are not commands. Space and the arrow keys also work in the
// transcript.

import type { Playback } from './playback.ts'

const STEP = 5
const SMALL_STEP = 1

export function playerKey(event: KeyboardEvent, playback: Playback): void {
  const act = actionOf(event, playback)
  if (act === null) return
  event.preventDefault()
  act()
}

function actionOf(event: KeyboardEvent, playback: Playback): (() => void) | null {
  const { key, shiftKey, altKey, ctrlKey, metaKey } = event
  const target = event.target instanceof Element ? event.target : null
  if (ctrlKey || metaKey) return null
  // By `code`: with Alt a key may produce another character.
  if (altKey) return ALT_KEYS[event.code]?.(playback) ?? null
  if (target?.closest('input:not([type=range]), textarea, select, dialog')) return null
  // After a click on a word, nothing has the focus.
  if (target !== document.body && !target?.closest('#view')) return null
  const isPlayer = target?.closest('.player') != null
  if (key === ' ' && target?.closest('button, a, summary')) return null
  if (key === ' ' || (isPlayer && key.toLowerCase() === 'k')) return () => playback.toggle()
  const step = shiftKey ? SMALL_STEP : STEP
  if (key === 'ArrowLeft') return () => playback.skip(-step)
  if (key === 'ArrowRight') return () => playback.skip(step)
  if (!isPlayer) return null
  if (key === 'Home') return () => playback.seek(0)
  if (key === 'End') return () => playback.seek(Number.POSITIVE_INFINITY)
  if (key === 'PageUp') return () => playback.skip(-30)
  if (key === 'PageDown') return () => playback.skip(30)
  return null
}

const ALT_KEYS: Record<string, (playback: Playback) => () => void> = {
  ArrowUp: (playback) => () => playback.changeRate(1),
  ArrowDown: (playback) => () => playback.changeRate(-1),
  KeyK: (playback) => () => playback.toggle(),
  KeyJ: (playback) => () => playback.skip(-STEP),
  KeyL: (playback) => () => playback.skip(STEP),
}
