import { expect, test } from 'bun:test'
import { type Chords, createHotkeys } from '../../../src/cli/dictate/hotkeys.ts'
import { parseChord, parsePressed } from '../../../src/cli/dictate/keys.ts'

const USUAL: Chords = {
  hold: ['CtrlRight', 'ShiftRight'],
  toggle: ['CtrlRight', 'ShiftRight', 'Space'],
  command: ['F9'],
}

/** `+F8 -F8`: the key goes down, then up; other words are calls. Returns the actions. */
function actionsOf(input: string, chords: Chords = USUAL): string {
  const actions: string[] = []
  const hotkeys = createHotkeys(chords, {
    start: (kind) => actions.push(kind),
    stop: () => actions.push('stop'),
    cancel: (why) => actions.push(why),
    latch: () => actions.push('latch'),
  })
  for (const one of input.split(' ')) {
    if (one === 'toggle') hotkeys.toggle('dictation')
    else if (one === 'ended') hotkeys.ended()
    else if (one.startsWith('+')) hotkeys.down(one.slice(1), 0)
    else hotkeys.up(one.slice(1), 0)
  }
  return actions.join(' ')
}

test('a session lasts while all keys of the chord are down, in any order and with repeats', () => {
  expect(actionsOf('+CtrlRight +ShiftRight -CtrlRight -ShiftRight')).toBe('dictation stop')
  expect(actionsOf('+ShiftRight +CtrlRight -CtrlRight -ShiftRight')).toBe('dictation stop')
  expect(actionsOf('+CtrlRight -CtrlRight +ShiftRight -ShiftRight')).toBe('')
  const f8 = { ...USUAL, hold: ['F8'], toggle: null }
  expect(actionsOf('+F8 +F8 +F8 -F8 -F8 +F8 -F8', f8)).toBe('dictation stop dictation stop')
})

test('a second chord during a session changes nothing', () => {
  const f8 = { ...USUAL, hold: ['F8'], toggle: null }
  expect(actionsOf('+F8 +F9 -F9 -F8', f8)).toBe('dictation stop')
  expect(actionsOf('+F9 +F8 -F8 -F9', f8)).toBe('command stop')
  expect(actionsOf('+F8 +F9 -F8 -F9 +F8', f8)).toBe('dictation stop dictation')
})

test('the toggle chord makes the session last until a chord is pressed again', () => {
  const held = '+CtrlRight +ShiftRight'
  const released = '-ShiftRight -CtrlRight'
  expect(actionsOf(`${held} +Space -Space ${released}`)).toBe('dictation latch')
  expect(actionsOf(`${held} +Space -Space ${released} ${held} ${released}`)).toBe('dictation latch stop')
  const again = `${held} +Space -Space ${released}`
  expect(actionsOf(`${held} +Space -Space ${released} ${again}`)).toBe('dictation latch stop')
  expect(actionsOf(`+Space ${held} ${released}`)).toBe('dictation latch')
})

test('Escape, and a shortcut that contains the chord, cancel', () => {
  expect(actionsOf('+CtrlRight +ShiftRight +Escape -Escape -ShiftRight -CtrlRight')).toBe('dictation escape')
  expect(actionsOf('+CtrlRight +ShiftRight +T -T -ShiftRight -CtrlRight')).toBe('dictation shortcut')
  expect(actionsOf('+Escape -Escape')).toBe('')
  expect(actionsOf('toggle +Escape -Escape +Escape')).toBe('dictation escape')
  const f8 = { ...USUAL, hold: ['F8'], toggle: null }
  expect(actionsOf('+F8 +T -T -F8', f8)).toBe('dictation stop')
})

test('a desktop shortcut starts and stops; a session that ended by itself needs a new press', () => {
  expect(actionsOf('toggle toggle toggle')).toBe('dictation stop dictation')
  expect(actionsOf('+F9 ended +F9 -F9 +F9')).toBe('command command')
})

test('keys have the names of the settings and short ones; a typo gets a suggestion', () => {
  expect(parseChord('ControlRight+ShiftRight')).toEqual({ ok: true, value: ['CtrlRight', 'ShiftRight'] })
  expect(parseChord('MetaLeft, KeyD digit1 AltGr')).toEqual({
    ok: true,
    value: ['Meta', 'D', '1', 'AltRight'],
  })
  expect(parseChord('ScrolLock')).toMatchObject({
    failure: 'There is no key "ScrolLock"; did you mean "ScrollLock"?',
  })
  expect(parseChord(' + ').ok).toBe(false)
  expect(parsePressed('mod+shift+z', 'linux')).toEqual({ ok: true, value: ['Ctrl', 'Shift', 'Z'] })
  expect(parsePressed('mod+z', 'darwin')).toEqual({ ok: true, value: ['Meta', 'Z'] })
  expect(parsePressed('up', 'linux')).toEqual({ ok: true, value: ['ArrowUp'] })
})
