// Keys that are pressed together, as a person chooses them: by their place on the keyboard, since with Alt a key may write
// another letter. What they do is shortcuts.ts's.

import { strings } from '../strings/strings.ts'

export type Chord = {
  /** where it is on the keyboard; '' where the character counts, wherever it is */
  code: string
  /** the character, or its name */
  label: string
  ctrl: boolean
  alt: boolean
  shift: boolean
  meta: boolean
}

export type PressedKeys = Pick<KeyboardEvent, 'key' | 'code' | 'ctrlKey' | 'altKey' | 'shiftKey' | 'metaKey'>

const MODIFIERS = ['Control', 'Alt', 'Shift', 'Meta', 'AltGraph']

/** Null while nothing but keys like Ctrl are down. */
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

/** Whether letting go of this key lets go of the chord: a system may not tell of a letter while another key is down. */
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

/** Writes something, or moves something, where somebody types. */
export const isBareKey = ({ code, ctrl, alt, meta }: Chord): boolean =>
  !ctrl && !alt && !meta && !/^F\d+$/.test(code)

/** Of browsers, of reading on a page, and of this page. */
const TAKEN_CODES =
  /^(Escape|Enter|NumpadEnter|Tab|Backspace|Delete|Arrow\w+|Home|End|Page\w+|F1|F3|F5|F6|F7|F10|F11|F12)$/
/** Address, menus, and those of the player. */
const TAKEN_WITH_ALT = ['KeyD', 'KeyE', 'KeyF', 'KeyJ', 'KeyK', 'KeyL', 'F4', 'Space']

/** Browsers and systems have nearly all of Ctrl or Cmd with one more key, so that none of them is taken. */
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
