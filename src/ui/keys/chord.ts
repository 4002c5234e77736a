// Key chords, identified by `code`, because with Alt a key may produce another character.

import { strings } from '../strings/strings.ts'

export type Chord = {
  /** KeyboardEvent.code; '' if the character counts instead of the position */
  code: string
  /** the character or name of the key */
  label: string
  ctrl: boolean
  alt: boolean
  shift: boolean
  meta: boolean
}

export type PressedKeys = Pick<KeyboardEvent, 'key' | 'code' | 'ctrlKey' | 'altKey' | 'shiftKey' | 'metaKey'>

const MODIFIERS = ['Control', 'Alt', 'Shift', 'Meta', 'AltGraph']

/** Null while only modifier keys are down. */
export function chordOf({ key, code, ctrlKey, altKey, shiftKey, metaKey }: PressedKeys): Chord | null {
  if (MODIFIERS.includes(key) || key === 'Dead' || key === 'Process' || code === '') return null
  const [, plain] = /^(?:Key|Digit)(.)$/.exec(code) ?? []
  const label = plain ?? (key.length === 1 ? key.toUpperCase() : key)
  return { code, label, ctrl: ctrlKey, alt: altKey, shift: shiftKey, meta: metaKey }
}

export function matchesChord(chord: Chord, event: PressedKeys): boolean {
  const { ctrlKey, altKey, shiftKey, metaKey } = event
  if (chord.code === '') return event.key === chord.label && !ctrlKey && !altKey && !metaKey
  return (
    event.code === chord.code &&
    ctrlKey === chord.ctrl &&
    altKey === chord.alt &&
    shiftKey === chord.shift &&
    metaKey === chord.meta
  )
}

/** Whether releasing this key ends the chord: the OS may not report a key's release while another key is down. */
export function isPartOfChord({ code, ctrl, alt, shift, meta }: Chord, event: PressedKeys): boolean {
  const { key } = event
  return (
    event.code === code ||
    (ctrl && key === 'Control') ||
    (alt && key === 'Alt') ||
    (shift && key === 'Shift') ||
    (meta && key === 'Meta')
  )
}

/** Without modifiers: in a text field these keys type or move the caret. */
export const isBareKey = ({ code, ctrl, alt, meta }: Chord): boolean =>
  !ctrl && !alt && !meta && !/^F\d+$/.test(code)

/** Used by browsers, for reading a page, or by this page. */
const TAKEN_CODES =
  /^(Escape|Enter|NumpadEnter|Tab|Backspace|Delete|Arrow\w+|Home|End|Page\w+|F1|F3|F5|F6|F7|F10|F11|F12)$/
/** Used by browsers for the address bar and menus, or by the player. */
const TAKEN_WITH_ALT = ['KeyD', 'KeyE', 'KeyF', 'KeyJ', 'KeyK', 'KeyL', 'F4', 'Space']

/** Browsers and systems use nearly every combination of Ctrl or Cmd with one more key, so all are rejected. */
export function isTakenChord({ code, ctrl, alt, meta }: Chord): boolean {
  const isCommand = (ctrl || meta) && !alt && code !== 'Space'
  return TAKEN_CODES.test(code) || isCommand || (alt && !ctrl && !meta && TAKEN_WITH_ALT.includes(code))
}

export function chordName({ code, label, ctrl, alt, shift, meta }: Chord): string {
  const { keys } = strings.value
  const named = code === 'Space' ? keys.space : label
  const held = [ctrl && keys.ctrl, meta && keys.meta, alt && keys.alt, shift && keys.shift]
  return [...held, named].filter((name) => name !== false).join('+')
}
