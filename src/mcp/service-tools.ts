// Tools that report statistics and the models of the server.

import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { z } from 'zod/v4'
import { type Api, withQuery } from './api.ts'
import { period, sourceFilter } from './capture-tools.ts'
import { addTool } from './tool.ts'

const counts = { captures: z.number(), words: z.number(), duration_ms: z.number() }

const statisticsShape = {
  period: z.string(),
  since: z.string().nullable(),
  until: z.string().nullable(),
  total_captures: z.number(),
  total_words: z.number(),
  total_duration_ms: z.number(),
  words_per_minute: z.number().nullable(),
  time_saved_seconds: z.number().describe('how much longer typing would have taken'),
  current_streak: z.number().describe('consecutive days with a capture'),
  longest_streak: z.number(),
  active_days: z.number(),
  refined_count: z.number(),
  failed_count: z.number(),
  by_source: z.array(z.object({ source: z.string(), ...counts })),
  by_language: z.array(z.object({ language: z.string().nullable(), ...counts })),
}

const modelShape = z.object({
  model_name: z.string(),
  display_name: z.string(),
  downloaded: z.boolean().describe('whether it is on this computer'),
  downloading: z.boolean(),
  loaded: z.boolean(),
  multilingual: z.boolean().nullable(),
  recommended: z.boolean(),
  expected_size_mb: z.number().nullable(),
})

type Model = z.output<typeof modelShape> & { alias_of: string | null }

export function addServiceTools(server: McpServer, api: Api): void {
  addTool(server, {
    name: 'statistics',
    title: 'Dictation statistics',
    description: 'How much the user dictated: words, time, speed, streaks, by source and language.',
    input: {
      period: z.enum(['today', 'week', 'month', 'year', 'all']).optional().describe('default: all'),
      ...period,
      source: sourceFilter,
      app: z.string().optional().describe('name or id of an application'),
    },
    output: statisticsShape,
    run: (values, { signal }) =>
      api.request<z.output<z.ZodObject<typeof statisticsShape>>>(
        'GET',
        withQuery('/captures/stats', values),
        { signal },
      ),
  })

  addTool(server, {
    name: 'models',
    title: 'Speech models',
    description: 'Lists the Whisper models on this computer: which are loaded and recommended.',
    input: {
      all: z.boolean().default(false).describe('true adds the models that could be downloaded'),
    },
    output: { models: z.array(modelShape), hint: z.string().nullable() },
    async run({ all }, { signal }) {
      const status = await api.request<{ models: Model[]; hint: string | null }>('GET', '/models/status', {
        signal,
      })
      // Other programs' names for the same files would only repeat them.
      const models = status.models.filter((model) => model.alias_of === null && (all || model.downloaded))
      return { ...status, models }
    },
  })
}
