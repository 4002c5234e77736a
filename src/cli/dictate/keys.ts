// Names of keys: as in the settings and --key (DOM codes such as `ControlRight`, or short names), translated into those
// of uiohook-napi.

import { closestWord, didYouMean } from '../../lib/did-you-mean.ts'
import { fail, type Result, succeed } from '../../lib/result.ts'

const between = (from: number, to: number, name: (index: number) => string): string[] =>
  Array.from({ length: to - from + 1 }, (_, index) => name(from + index))

/** As uiohook-napi names them. */
const KEYS: readonly string[] = [
  ...between(65, 90, (code) => String.fromCharCode(code)),
  ...between(0, 9, String),
  ...between(1, 24, (number) => `F${number}`),
  ...between(0, 9, (number) => `Numpad${number}`),
  ...['NumpadMultiply', 'NumpadAdd', 'NumpadSubtract', 'NumpadDecimal', 'NumpadDivide', 'NumpadEnter'],
  ...['Ctrl', 'CtrlRight', 'Alt', 'AltRight', 'Shift', 'ShiftRight', 'Meta', 'MetaRight'],
  ...[
    'Space',
    'Enter',
    'Tab',
    'Escape',
    'Backspace',
    'Insert',
    'Delete',
    'Home',
    'End',
    'PageUp',
    'PageDown',
  ],
  ...['ArrowLeft', 'ArrowUp', 'ArrowRight', 'ArrowDown', 'CapsLock', 'NumLock', 'ScrollLock', 'PrintScreen'],
  ...['Semicolon', 'Equal', 'Comma', 'Minus', 'Period', 'Slash', 'Backquote', 'BracketLeft', 'Backslash'],
  ...['BracketRight', 'Quote'],
]

const OTHER_NAMES: Record<string, string> = {
  control: 'Ctrl',
  controlleft: 'Ctrl',
  ctrlleft: 'Ctrl',
  controlright: 'CtrlRight',
  rightctrl: 'CtrlRight',
  shiftleft: 'Shift',
  rightshift: 'ShiftRight',
  altleft: 'Alt',
  option: 'Alt',
  rightalt: 'AltRight',
  altgr: 'AltRight',
  altgraph: 'AltRight',
  metaleft: 'Meta',
  super: 'Meta',
  win: 'Meta',
  cmd: 'Meta',
  command: 'Meta',
  esc: 'Escape',
  return: 'Enter',
  left: 'ArrowLeft',
  up: 'ArrowUp',
  right: 'ArrowRight',
  down: 'ArrowDown',
}

const BY_LOWER_CASE = new Map(KEYS.map((key) => [key.toLowerCase(), key]))

const MODIFIER = /^(Ctrl|Alt|Shift|Meta)(Right)?$/

export const isModifier = (key: string): boolean => MODIFIER.test(key)

/** Null for an unknown name. */
function keyOf(name: string): string | null {
  const lower = name.toLowerCase()
  const [, code] = /^(?:key|digit)([a-z\d])$/.exec(lower) ?? []
  return BY_LOWER_CASE.get(code ?? lower) ?? OTHER_NAMES[lower] ?? null
}

/** @param text names of keys, separated by `+`, commas or spaces */
export function parseChord(text: string): Result<string[], string> {
  const names = text.split(/[\s,+]+/).filter((name) => name !== '')
  if (names.length === 0)
    return fail('No key is named. Give one such as F8, or several: ControlRight+ShiftRight.')
  const keys: string[] = []
  for (const name of names) {
    const key = keyOf(name)
    if (key === null) {
      const meant = closestWord(name, [...KEYS, ...Object.keys(OTHER_NAMES)])
      return fail(
        `There is no key "${name}"${didYouMean(meant) || '. Names are F8, ControlRight, Space, KeyA and the like.'}`,
      )
    }
    keys.push(key)
  }
  return succeed([...new Set(keys)])
}

/** The keys that a command presses, such as `mod+shift+z`: `mod` is Ctrl, or ⌘ on a Mac. */
export function parsePressed(text: string, platform = process.platform): Result<string[], string> {
  return parseChord(text.replace(/\bmod\b/, platform === 'darwin' ? 'Meta' : 'Ctrl'))
}
