import { defineCommand } from '../command.ts'

export const RECORD = defineCommand({
  name: 'record',
  summary: 'Record from the microphone, store the recording and print its text',
  details:
    'Enter or Ctrl+C ends the recording. It is written to a file from the start, and stays there until the server has stored it. For text in another application, use "dictation dictate".',
  options: {
    seconds: { value: 'N', help: 'stop after this many seconds' },
    title: { value: 'TITLE', help: 'the title of the capture [its first words]' },
    language: { value: 'CODE', help: 'the spoken language, or auto [as in the settings]' },
    model: {
      value: 'NAME',
      help: 'the model to transcribe with [as in the settings]',
      known: 'installed models',
    },
    input: {
      value: 'SOURCE',
      help: 'in place of the microphone: a command that writes 16-bit mono samples at 16 kHz, or a WAV file',
    },
  },
  examples: [
    {
      command: 'dictation record',
      meaning: 'speak, then press Enter',
      notRun: 'it needs a microphone',
    },
    {
      command: 'dictation record --seconds 10 --title "Shopping list"',
      meaning: 'record for ten seconds',
      notRun: 'it needs a microphone',
    },
  ],
  load: async () => (await import('../record/record.ts')).recordCommand,
})
