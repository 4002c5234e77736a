import { defineCommand, type Example } from '../command.ts'
import type { OptionSpecs } from '../option-specs.ts'

const OPTIONS = {
  source: { value: 'SOURCE', help: 'what they are [file]', choices: ['dictation', 'recording', 'file'] },
  language: { value: 'LANGUAGE', help: 'the spoken language, or auto [as in the settings]' },
  model: {
    value: 'NAME',
    help: 'the model to transcribe with [as in the settings]',
    known: 'installed models',
  },
  app: { value: 'NAME', help: 'the application they were dictated into' },
  wait: { help: 'wait for each transcript' },
  'dry-run': { help: 'only report what would be imported' },
} as const satisfies OptionSpecs

const DETAILS = `The server stores a copy of each recording and transcribes them one by one; the files stay unchanged. A file's modification time is stored as the recording date.
Recordings that the server already has, including those in its trash, are recognized by content and skipped, so a restarted command continues where it stopped. A permanently deleted recording is imported again. Files that are not recordings are detected by content; they are listed at the end and set exit code 1. Hidden files are only listed.`

const RUNS_FOREVER = 'runs until it is interrupted'

export const IMPORT = defineCommand({
  name: 'import',
  summary: 'Store and transcribe recordings: files, or all in a folder and its subfolders',
  details: DETAILS,
  stdout: 'events',
  npmScript: 'import',
  arguments: [{ name: 'PATH', help: 'a recording or a folder', many: true }],
  options: { watch: { help: 'keep running and import later recordings, too' }, ...OPTIONS },
  examples: [
    { command: 'dictation import interviews --dry-run', meaning: 'show what would be imported' },
    {
      command: 'dictation import interviews --wait',
      meaning: 'import a folder and wait for its transcripts',
    },
    { command: 'dictation import memo.flac --language en', meaning: 'import one recording' },
  ],
  load: async () => (await import('../import/import.ts')).importRecordings,
})

const watchExamples: Example[] = [
  {
    command: 'dictation watch interviews',
    meaning: 'import a folder and files that are added later',
    notRun: RUNS_FOREVER,
  },
]

export const WATCH = defineCommand({
  name: 'watch',
  summary: 'Import recordings as they appear in a folder (the same as import --watch)',
  details: DETAILS,
  stdout: 'events',
  arguments: [{ name: 'FOLDER', help: 'the folders to watch', many: true }],
  options: OPTIONS,
  examples: watchExamples,
  load: async () => (await import('../import/import.ts')).watchFolders,
})
