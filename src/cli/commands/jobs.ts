import { defineCommand, defineNoun } from '../command.ts'

const JOB = { name: 'ID', help: 'a job: its id, the last characters of it, or @last for the newest' } as const

export const JOBS = defineNoun({
  name: 'jobs',
  summary: 'See and cancel the work of the server',
  commands: [
    defineCommand({
      name: 'ls',
      summary: 'List jobs, the newest first',
      details:
        'In a pipe, the columns are separated by tabs: id, time, kind, state, progress, capture, error.',
      options: {
        state: {
          value: 'STATE',
          help: 'only in this state',
          choices: ['waiting', 'active', 'completed', 'failed', 'canceled'],
        },
        limit: { value: 'N', help: 'maximum number of jobs [20]' },
      },
      examples: [{ command: 'dictation jobs ls --state active', meaning: 'what the server is working on' }],
      load: async () => (await import('../jobs/jobs.ts')).listJobsCommand,
    }),
    defineCommand({
      name: 'show',
      summary: 'Show a job',
      arguments: [JOB],
      examples: [{ command: 'dictation jobs show @last', meaning: 'the newest job' }],
      load: async () => (await import('../jobs/jobs.ts')).showJobCommand,
    }),
    defineCommand({
      name: 'cancel',
      summary: 'Cancel jobs',
      details: 'The recording and its earlier text are kept.',
      arguments: [{ ...JOB, many: true }],
      examples: [
        {
          command: 'dictation jobs cancel @last',
          meaning: 'cancel the newest job',
          notRun: 'only a job that has not ended can be cancelled',
        },
      ],
      load: async () => (await import('../jobs/jobs.ts')).cancelJobsCommand,
    }),
  ],
})
