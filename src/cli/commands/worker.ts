import { defineCommand } from '../command.ts'

export const WORKER = defineCommand({
  name: 'worker',
  needs: 'folder',
  summary: 'Transcribe for the servers on the same Postgres, until Ctrl-C',
  details:
    'Needs DATABASE_URL, a data folder of its own, and recordings that all of them share. It has no API but /health and /metrics.',
  examples: [
    {
      command: 'dictation worker',
      meaning: 'work for the servers that DATABASE_URL connects',
      notRun: 'runs until Ctrl-C',
    },
  ],
  load: async () => (await import('../server/control.ts')).startWorkerCommand,
})
