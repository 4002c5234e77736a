import { defineCommand } from '../command.ts'

export const DICTATE = defineCommand({
  name: 'dictate',
  summary: 'Hold a key and speak: the text is inserted into the focused application',
  details: `Runs until Ctrl+C. Without --key, the keys are those in the settings: right Control and right Shift unless changed. Escape cancels; the recording is then in the trash.
The text goes through the clipboard, whose content is restored. Every recording becomes a capture of the server, with the application and the title of its window.
Programs cannot read keys on Wayland: bind "dictation toggle" to a shortcut of the desktop (docs/dictate.md).`,
  stdout: 'events',
  options: {
    key: {
      value: 'KEYS',
      help: 'held while speaking, such as ScrollLock or ControlRight+ShiftRight [as in the settings]',
    },
    'command-key': { value: 'KEYS', help: 'held while speaking a command for the selected text [none]' },
    type: { help: 'type the text in place of pasting it' },
    copy: { help: 'only copy the text to the clipboard' },
    'paste-keys': {
      value: 'KEYS',
      help: 'the keys that paste [Ctrl+V, Shift+Insert in terminals, Meta+V on macOS]',
    },
    input: {
      value: 'SOURCE',
      help: 'in place of the microphone: a command that writes 16-bit mono samples at 16 kHz, or a WAV file',
    },
    language: { value: 'LANGUAGE', help: 'the spoken language, or auto [as in the settings]' },
    model: {
      value: 'NAME',
      help: 'the model to transcribe with [as in the settings]',
      known: 'installed models',
    },
    bell: { help: 'ring the terminal bell when listening' },
  },
  examples: [
    {
      command: 'dictation dictate',
      meaning: 'hold the keys in the settings, speak, release',
      notRun: 'needs a desktop',
    },
    {
      command: 'dictation dictate --key ScrollLock --command-key AltGr+ShiftRight',
      meaning: 'ScrollLock dictates, the other keys edit the selection',
      notRun: 'needs a desktop',
    },
  ],
  load: async () => (await import('../dictate/dictate.ts')).dictate,
})

export const TOGGLE = defineCommand({
  name: 'toggle',
  needs: 'folder',
  summary: 'Start or stop speaking, from a shortcut of the desktop',
  details: 'Needs a running "dictation dictate", which records and inserts the text.',
  options: {
    command: { help: 'speak a command for the selected text' },
    cancel: { help: 'cancel; the recording is moved to the trash' },
  },
  examples: [
    {
      command: 'dictation toggle',
      meaning: 'start speaking, or stop and insert the text',
      notRun: 'needs a desktop',
    },
  ],
  load: async () => (await import('../dictate/toggle.ts')).toggle,
})
