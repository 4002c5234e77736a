import { defineCommand } from '../command.ts'

export const STATS = defineCommand({
  name: 'stats',
  summary: 'Show dictation statistics',
  options: {
    period: {
      value: 'PERIOD',
      help: 'the period that ends now [all]',
      choices: ['today', 'week', 'month', 'year', 'all'],
    },
    since: { value: 'TIME', help: 'from this time on: 30d, 24h or 2026-01-31' },
    until: { value: 'TIME', help: 'up to this time' },
    app: { value: 'NAME', help: 'only this application' },
    source: {
      value: 'SOURCE',
      help: 'only recordings of this kind',
      choices: ['dictation', 'recording', 'file'],
    },
  },
  examples: [
    { command: 'dictation stats', meaning: 'since the first capture' },
    { command: 'dictation stats --since 30d --json', meaning: 'the last 30 days, for a program' },
  ],
  load: async () => (await import('../statistics/stats.ts')).statsCommand,
})
