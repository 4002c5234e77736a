import { defineCommand } from '../command.ts'

export const RETRANSCRIBE = defineCommand({
  name: 'retranscribe',
  summary: 'Transcribe captures again, one by one, in the background',
  details: `Select captures with at least one of --all, --ids, --since, --until, --app, --from-model, --spoken and --failed; several narrow the selection. Dictation stays available meanwhile.
Restarted with the same options, the command follows the batch in progress; no capture is transcribed twice. "dictation api GET /jobs/batches" lists the batches, and DELETE /jobs/batches/{id} cancels one.`,
  stdout: 'events',
  npmScript: 'retranscribe',
  options: {
    all: { help: 'every capture that is not in the trash' },
    ids: { value: 'ID,ID', help: 'these captures' },
    since: { value: 'WHEN', help: 'recorded since a day (2026-01-31), a time, or an age (7d, 24h, 90m)' },
    until: { value: 'WHEN', help: 'recorded before' },
    app: { value: 'NAME', help: 'dictated into this application' },
    'from-model': { value: 'NAME', help: 'with a transcript by this model', known: 'installed models' },
    spoken: { value: 'LANGUAGE', help: 'in this language' },
    failed: { help: 'with a failed transcription' },
    model: {
      value: 'NAME',
      help: 'the model to use [the one for new recordings]',
      known: 'installed models',
    },
    language: { value: 'LANGUAGE', help: 'the language to use, or auto [as requested for each capture]' },
    'keep-refined': { help: 'keep the refined texts next to the new transcripts' },
    again: { help: 'include captures that already have a transcript by this model' },
    'dry-run': { help: 'only report what would be done, and how long it would take' },
    detach: { help: 'do not wait for the end' },
  },
  examples: [
    { command: 'dictation retranscribe --all --dry-run', meaning: 'how much work there is' },
    { command: 'dictation retranscribe --failed', meaning: 'retry failed transcriptions' },
    {
      command: 'dictation retranscribe --since 7d --language en --again',
      meaning: 'the last week, as English',
    },
  ],
  load: async () => (await import('../retranscribe/retranscribe.ts')).retranscribe,
})
