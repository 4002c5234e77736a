// Decides which keys start, stop and cancel a session. Keys that repeat, and a second chord during a session, change
// nothing.

import { isModifier } from './keys.ts'

export type SessionKind = 'dictation' | 'command'

/** Keys that must be down together, by the names of keys.ts. */
export type Chords = { hold: string[]; toggle: string[] | null; command: string[] | null }

/** `at`: Date.now() of the key */
export type HotkeyActions = {
  start(kind: SessionKind, at: number): void
  stop(at: number): void
  /** `shortcut`: another key went down, so the modifiers belong to a shortcut of an application */
  cancel(why: 'escape' | 'shortcut'): void
  /** the session continues after the keys are up */
  latch(): void
}

export type Hotkeys = {
  down(key: string, at: number): void
  up(key: string, at: number): void
  /** a desktop shortcut: starts a session that continues, or stops the current one */
  toggle(kind: SessionKind): void
  cancel(): void
  /** the session ended by itself */
  ended(): void
  /** whether a key is down that would change the meaning of pressed keys */
  isModified(): boolean
}

type Phase =
  | { name: 'idle' }
  | { name: 'held'; chord: string[] }
  | { name: 'latched' }
  /** a session has ended while the keys are still down */
  | { name: 'spent'; chord: string[] }

const IDLE: Phase = { name: 'idle' }

export function createHotkeys(chords: Chords, actions: HotkeyActions): Hotkeys {
  const pressed = new Set<string>()
  let phase: Phase = IDLE
  const known = new Set([...chords.hold, ...(chords.toggle ?? []), ...(chords.command ?? [])])

  const isDown = (chord: string[] | null): chord is string[] =>
    chord?.every((key) => pressed.has(key)) === true

  const release = (): Phase => (phase.name === 'held' ? { name: 'spent', chord: phase.chord } : IDLE)

  const cancel = (why: 'escape' | 'shortcut') => {
    if (phase.name !== 'held' && phase.name !== 'latched') return
    phase = release()
    actions.cancel(why)
  }

  const begin = (at: number) => {
    if (isDown(chords.command)) {
      phase = { name: 'held', chord: chords.command }
      actions.start('command', at)
    } else if (isDown(chords.toggle)) {
      phase = { name: 'latched' }
      actions.start('dictation', at)
      actions.latch()
    } else if (isDown(chords.hold)) {
      phase = { name: 'held', chord: chords.hold }
      actions.start('dictation', at)
    }
  }

  return {
    down(key, at) {
      if (pressed.has(key)) return
      pressed.add(key)
      if (key === 'Escape') return cancel('escape')
      if (!known.has(key)) {
        if (phase.name === 'held' && phase.chord.every(isModifier) && !isModifier(key)) cancel('shortcut')
        return
      }
      switch (phase.name) {
        case 'idle':
          return begin(at)
        case 'held':
          if (!isDown(chords.toggle) || phase.chord === chords.command) return
          phase = { name: 'latched' }
          return actions.latch()
        case 'latched': {
          const chord = [chords.toggle, chords.hold, chords.command].find(
            (one) => one?.includes(key) && isDown(one),
          )
          if (!chord) return
          phase = { name: 'spent', chord }
          return actions.stop(at)
        }
      }
    },
    up(key, at) {
      pressed.delete(key)
      if (phase.name === 'held' && phase.chord.includes(key)) {
        phase = IDLE
        actions.stop(at)
      } else if (phase.name === 'spent' && phase.chord.includes(key)) phase = IDLE
    },
    toggle(kind) {
      if (phase.name === 'held' || phase.name === 'latched') {
        phase = release()
        actions.stop(Date.now())
        return
      }
      phase = { name: 'latched' }
      actions.start(kind, Date.now())
    },
    cancel: () => cancel('escape'),
    ended() {
      phase = release()
    },
    isModified: () => [...pressed].some((key) => isModifier(key) || known.has(key)),
  }
}
