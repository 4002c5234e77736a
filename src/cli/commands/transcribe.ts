import { defineCommand } from '../command.ts'

const FORMATS = ['txt', 'md', 'srt', 'vtt', 'json'] as const

export const TRANSCRIBE = defineCommand({
  name: 'transcribe',
  summary: 'Transcribe recordings: files, folders, or standard input',
  details: `The text goes to standard output, everything else to standard error. The server stores nothing; "dictation import" stores recordings.
Files that are not recordings are detected by content; they are listed at the end and set exit code 1. Hidden files are only listed.`,
  npmScript: 'transcribe',
  arguments: [{ name: 'PATH', help: 'a recording, a folder, or - for standard input', many: true }],
  options: {
    format: { value: 'FORMAT', help: 'the format of the text [txt, or json with --json]', choices: FORMATS },
    words: { help: 'include each word with its times (JSON only)' },
    output: {
      value: 'FOLDER',
      short: 'o',
      help: 'write a file per recording into this folder; recordings that already have one are skipped',
    },
    force: { help: 'overwrite existing files' },
    language: { value: 'LANGUAGE', help: 'the spoken language, or auto [as in the settings]' },
    model: {
      value: 'NAME',
      help: 'the model to transcribe with [as in the settings]',
      known: 'installed models',
    },
    prompt: { value: 'TEXT', help: 'preceding text, or names that are likely to occur' },
    translate: { help: 'translate into English' },
  },
  examples: [
    { command: 'dictation transcribe memo.flac', meaning: 'print the text of a recording' },
    {
      command: 'dictation transcribe interviews --format srt --output subtitles',
      meaning: 'write subtitles for a folder',
    },
    {
      command: 'cat memo.flac | dictation transcribe - --json',
      meaning: 'text, language and segments as JSON',
    },
  ],
  load: async () => (await import('../transcribe/transcribe.ts')).transcribeRecordings,
})
