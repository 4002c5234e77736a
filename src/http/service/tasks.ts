// GET /tasks/active and POST /tasks/clear, with Voicebox's field names where it has these endpoints.

import { type Static, Type } from '@sinclair/typebox'
import type { Jobs } from '../../jobs/jobs.ts'
import { nullable, oneOf } from '../../lib/schema.ts'
import type { ActiveDownload } from '../../models/downloads.ts'
import { JobWireSchema, jobExample, wireJob } from '../jobs/jobs.ts'
import { defineRoute, jsonContent, ok, type Route } from '../kernel/route.ts'
import { dateTime, strictObject } from '../kernel/schema.ts'

export type TasksDeps = {
  jobs: Pick<Jobs, 'list'>
  downloads: { active(): ActiveDownload[]; clearFailed(): number }
}

const bytes = (description: string) => Type.Integer({ minimum: 0, description })

const DownloadSchema = strictObject(
  {
    model_name: Type.String(),
    status: oneOf(['downloading', 'verifying', 'complete', 'error', 'canceled']),
    started_at: dateTime(),
    error: nullable(Type.String(), { description: 'what went wrong' }),
    progress: Type.Number({ minimum: 0, maximum: 100, description: 'percent; 100 only with `complete`' }),
    current: bytes('bytes on disk'),
    total: nullable(Type.Integer({ minimum: 0 }), { description: 'bytes; null until it is known' }),
    filename: Type.String(),
  },
  { $id: 'ActiveDownload', description: 'A model that is being downloaded, or whose download failed.' },
)

/** Voicebox's client reads these tasks; this server has no speech synthesis. */
const GenerationSchema = strictObject(
  {
    task_id: Type.String(),
    profile_id: Type.String(),
    text_preview: Type.String(),
    started_at: dateTime(),
  },
  { $id: 'ActiveGeneration', description: 'Speech synthesis in progress. This server has none.' },
)

export const TasksSchema = strictObject(
  {
    downloads: Type.Array(DownloadSchema),
    jobs: Type.Array(JobWireSchema, { description: 'at most 200, the newest first' }),
    generations: Type.Array(GenerationSchema, { maxItems: 0, description: 'for clients of Voicebox' }),
  },
  { $id: 'ActiveTasks' },
)

const MAX_JOBS = 200

const example: Static<typeof TasksSchema> = {
  downloads: [
    {
      model_name: 'whisper-base',
      status: 'downloading',
      started_at: jobExample.created_at,
      error: null,
      progress: 41.5,
      current: 24_800_000,
      total: 59_721_011,
      filename: 'ggml-base-q5_1.bin',
    },
  ],
  jobs: [jobExample],
  generations: [],
}

export const taskRoutes = (deps: TasksDeps): Route[] => [activeRoute(deps), clearRoute(deps)]

const activeRoute = (deps: TasksDeps): Route =>
  defineRoute(
    {
      method: 'GET',
      path: '/tasks/active',
      operationId: 'listActiveTasks',
      summary: 'List active tasks',
      description:
        'Model downloads and active jobs. A failed download remains listed, with its reason, until it is cleared (`/tasks/clear`), cancelled or restarted, or the server stops. Waiting jobs are in `/jobs`.',
      tag: 'service',
      responses: ok('Downloads and active jobs', jsonContent(TasksSchema, example)),
      problems: ['database_unavailable'],
    },
    async () => {
      const { items } = await deps.jobs.list({ state: 'active', limit: MAX_JOBS, offset: 0 })
      const tasks = { downloads: deps.downloads.active(), jobs: items.map(wireJob), generations: [] }
      return Response.json(tasks satisfies Static<typeof TasksSchema>)
    },
  )

const clearRoute = ({ downloads }: TasksDeps): Route =>
  defineRoute(
    {
      method: 'POST',
      path: '/tasks/clear',
      operationId: 'clearTasks',
      summary: 'Clear failed downloads from the list',
      description:
        'Running tasks continue, and partial downloads are kept for the next attempt. Finished jobs are not listed.',
      tag: 'service',
      responses: ok(
        'The list has no failed downloads now',
        jsonContent(strictObject({ message: Type.String() }, { $id: 'TasksCleared' }), {
          message: clearedMessage(1),
        }),
      ),
    },
    () => Response.json({ message: clearedMessage(downloads.clearFailed()) }),
  )

function clearedMessage(count: number): string {
  if (count === 0) return 'There was nothing to clear.'
  return count === 1
    ? 'One failed download was cleared from the list.'
    : `${count} failed downloads were cleared from the list.`
}
