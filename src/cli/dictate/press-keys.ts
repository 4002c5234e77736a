// Presses keys and types text in the focused window with the desktop's own programs.

import { type Desktop, run } from './desktop.ts'

type KeyNames = {
  /** X11 and wtype */
  x: string
  /** of Linux's input events, for ydotool */
  code: number
  /** virtual key code */
  mac?: number
  /** SendKeys */
  windows?: string
}

const NAMED: Record<string, KeyNames> = {
  Enter: { x: 'Return', code: 28, mac: 36, windows: '{ENTER}' },
  Tab: { x: 'Tab', code: 15, mac: 48, windows: '{TAB}' },
  Escape: { x: 'Escape', code: 1, mac: 53, windows: '{ESC}' },
  Space: { x: 'space', code: 57, mac: 49, windows: ' ' },
  Backspace: { x: 'BackSpace', code: 14, mac: 51, windows: '{BACKSPACE}' },
  Delete: { x: 'Delete', code: 111, mac: 117, windows: '{DELETE}' },
  Insert: { x: 'Insert', code: 110, windows: '{INSERT}' },
  Home: { x: 'Home', code: 102, mac: 115, windows: '{HOME}' },
  End: { x: 'End', code: 107, mac: 119, windows: '{END}' },
  ArrowUp: { x: 'Up', code: 103, mac: 126, windows: '{UP}' },
  ArrowDown: { x: 'Down', code: 108, mac: 125, windows: '{DOWN}' },
  ArrowLeft: { x: 'Left', code: 105, mac: 123, windows: '{LEFT}' },
  ArrowRight: { x: 'Right', code: 106, mac: 124, windows: '{RIGHT}' },
  Ctrl: { x: 'ctrl', code: 29, mac: 0, windows: '^' },
  Shift: { x: 'shift', code: 42, mac: 0, windows: '+' },
  Alt: { x: 'alt', code: 56, mac: 0, windows: '%' },
  Meta: { x: 'super', code: 125, mac: 0 },
}

/** Linux's codes follow the rows of a US keyboard. */
const ROWS: [first: number, keys: string][] = [
  [2, '1234567890'],
  [16, 'QWERTYUIOP'],
  [30, 'ASDFGHJKL'],
  [44, 'ZXCVBNM'],
]

function namesOf(key: string): KeyNames | null {
  const named = NAMED[key]
  if (named !== undefined) return named
  const row = ROWS.find(([, keys]) => keys.includes(key))
  if (key.length !== 1 || row === undefined) return null
  const x = key.toLowerCase()
  return { x, code: row[0] + row[1].indexOf(key), windows: x }
}

const MAC_MODIFIERS: Record<string, string> = {
  Ctrl: 'control',
  Shift: 'shift',
  Alt: 'option',
  Meta: 'command',
}

/** False if a program is missing, fails, or has no such key. */
export async function pressKeys(desktop: Desktop, keys: string[]): Promise<boolean> {
  const found = keys.map(namesOf)
  const names = found.filter((one) => one !== null)
  if (names.length === 0 || names.length < keys.length) return false
  const last = names.at(-1)!
  const modifiers = names.slice(0, -1)
  switch (desktop) {
    case 'x11':
      return run(['xdotool', 'key', '--clearmodifiers', names.map(({ x }) => x).join('+')])
    case 'macos': {
      const using = keys
        .slice(0, -1)
        .flatMap((key) => (MAC_MODIFIERS[key] ? [`${MAC_MODIFIERS[key]} down`] : []))
      const pressed = last.mac === undefined ? `keystroke ${JSON.stringify(last.x)}` : `key code ${last.mac}`
      return runScript(`${pressed}${using.length === 0 ? '' : ` using {${using.join(', ')}}`}`)
    }
    case 'windows':
      return sendKeys(names.map(({ windows = '' }) => windows).join(''))
    default: {
      const held = modifiers.flatMap(({ x }) => ['-M', x === 'super' ? 'logo' : x])
      const released = modifiers.flatMap(({ x }) => ['-m', x === 'super' ? 'logo' : x])
      if (await run(['wtype', ...FOCUS_FIRST, ...held, '-k', last.x, ...released])) return true
      const down = names.map(({ code }) => `${code}:1`)
      const up = names.map(({ code }) => `${code}:0`).reverse()
      return run(['ydotool', 'key', ...down, ...up])
    }
  }
}

/** False if a program is missing or fails. */
export async function typeText(desktop: Desktop, text: string): Promise<boolean> {
  switch (desktop) {
    case 'x11':
      return run(['xdotool', 'type', '--clearmodifiers', '--delay', '2', '--file', '-'], text)
    case 'macos':
      return runScript(`keystroke ${JSON.stringify(text)}`)
    case 'windows':
      return sendKeys(text.replace(/[+^%~(){}[\]]/g, '{$&}').replaceAll('\n', '{ENTER}'))
    default:
      return (
        (await run(['wtype', ...FOCUS_FIRST, '-'], text)) || run(['ydotool', 'type', '--file', '-'], text)
      )
  }
}

/** Milliseconds in which a window gets to know the virtual keyboard: it would lose the first key. */
const FOCUS_FIRST = ['-s', '50']

const runScript = (action: string) =>
  run(['osascript', '-e', `tell application "System Events" to ${action}`])

const sendKeys = (keys: string) =>
  run(['powershell', '-NoProfile', '-NonInteractive', '-Command', SEND_KEYS], keys)
const SEND_KEYS = `[Console]::InputEncoding = [Text.Encoding]::UTF8
Add-Type -AssemblyName System.Windows.Forms
[System.Windows.Forms.SendKeys]::SendWait([Console]::In.ReadToEnd())`

/** What to install so that keys can be pressed; null if nothing is missing. */
export function keyFault(desktop: Desktop): string | null {
  if (desktop === 'x11' && Bun.which('xprop') === null)
    return 'Install xprop (package x11-utils): without it, no application is known, and styles cannot match it.'
  if (desktop === 'x11' && Bun.which('xdotool') === null)
    return 'Install the package xdotool: without it, terminals and some other applications do not paste.'
  const isWayland = desktop === 'sway' || desktop === 'hyprland' || desktop === 'wayland'
  if (isWayland && Bun.which('wtype') === null && Bun.which('ydotool') === null)
    return 'Pasting needs wtype (sway, Hyprland, KDE) or ydotool (GNOME). Install one of them.'
  return null
}
