// Configurable global shortcuts, stored in this browser. Shortcuts of a list or the player work only with focus there,
// because a user who dictates into the page types characters that are not commands.

import { type Signal, signal } from '@preact/signals'
import { address, goTo } from '../address.ts'
import { forget, remember, remembered } from '../browser-storage.ts'
import { type Chord, isBareKey, matchesChord, type PressedKeys } from './chord.ts'

const bare = { ctrl: false, alt: false, shift: false, meta: false }

export const USUAL_CHORDS = {
  talk: { ...bare, code: 'Space', label: 'Space' },
  search: { ...bare, code: 'KeyK', label: 'K', ctrl: true },
  help: { ...bare, code: '', label: '?' },
} satisfies Record<string, Chord>

export type ShortcutName = keyof typeof USUAL_CHORDS

const storageKey = (name: ShortcutName): string => `keys.${name}`

/** Null if the user switched the shortcut off. */
function storedChord(name: ShortcutName): Chord | null {
  const stored = remembered(storageKey(name))
  if (stored === null) return USUAL_CHORDS[name]
  try {
    return JSON.parse(stored) as Chord | null
  } catch {
    return USUAL_CHORDS[name]
  }
}

export const shortcuts: Record<ShortcutName, Signal<Chord | null>> = {
  talk: signal(storedChord('talk')),
  search: signal(storedChord('search')),
  help: signal(storedChord('help')),
}

export const SHORTCUT_NAMES = Object.keys(shortcuts) as ShortcutName[]

export function chooseShortcut(name: ShortcutName, chord: Chord | null): void {
  shortcuts[name].value = chord
  if (chord === USUAL_CHORDS[name]) forget(storageKey(name))
  else remember(storageKey(name), JSON.stringify(chord))
}

/** The other shortcut that already uses these keys. */
export const shortcutWith = (chord: Chord, but: ShortcutName): ShortcutName | null =>
  SHORTCUT_NAMES.find((name) => {
    const other = shortcuts[name].value
    return name !== but && other !== null && JSON.stringify(other) === JSON.stringify(chord)
  }) ?? null

export const isHelpOpen = signal(false)
/** Set when the shortcut is used in another view; the search field takes the focus once it is mounted. */
export const isSearchRequested = signal(false)

const TYPED_INTO = 'input:not([type=checkbox], [type=radio], [type=range], [type=button]), textarea, select'

/** @returns a function that removes the handlers */
export function followShortcuts(): () => void {
  const onKey = (event: KeyboardEvent): void => {
    const target = event.target instanceof Element ? event.target : document.body
    if (event.defaultPrevented || target.closest('dialog')) return
    const isPressed = (name: ShortcutName): boolean => {
      const chord = shortcuts[name].value
      if (chord === null || !matchesChord(chord, spelledWithCtrl(chord, event))) return false
      return !isBareKey(chord) || !target.closest(TYPED_INTO)
    }
    if (isPressed('help')) isHelpOpen.value = true
    else if (isPressed('search')) requestSearch()
    else return
    event.preventDefault()
  }
  addEventListener('keydown', onKey)
  return () => removeEventListener('keydown', onKey)
}

/** Maps Cmd on a Mac to Ctrl. */
function spelledWithCtrl({ ctrl, meta }: Chord, event: KeyboardEvent): PressedKeys {
  if (!ctrl || meta || !event.metaKey || event.ctrlKey) return event
  const { key, code, altKey, shiftKey } = event
  return { key, code, altKey, shiftKey, ctrlKey: true, metaKey: false }
}

export function requestSearch(): void {
  isSearchRequested.value = true
  if (address.value.path.join('/') !== 'captures') goTo(['captures'])
}
