import type { Static } from '@sinclair/typebox'
import type { JobWireSchema } from '../../http/jobs/jobs.ts'
import { numberOption } from '../captures/list.ts'
import type { Given } from '../command.ts'
import { answerItems, findItem, firstItems, quantity } from '../items.ts'
import { each } from '../terminal/each.ts'
import { EXIT } from '../terminal/exit.ts'
import { type Cell, fieldsText, idCell, localMinute, momentCell } from '../terminal/rows.ts'
import type { Tools } from '../tools.ts'

type WireJob = Static<typeof JobWireSchema>

const JOBS = { path: '/jobs', noun: 'job', code: 'job_not_found', lists: 'dictation jobs ls' }

export async function listJobsCommand(
  tools: Tools,
  { options }: Given<{ state?: string; limit?: string }>,
): Promise<number> {
  const count = numberOption('limit', options.limit ?? '20')
  const query = new URLSearchParams(options.state === undefined ? {} : { state: options.state })
  const found = await firstItems<WireJob>(tools.server, '/jobs', { query, count })
  return answerItems(tools, found, { rowOf, none: 'No jobs match.' })
}

const percent = ({ progress }: WireJob) => `${Math.round(progress * 100)} %`

const rowOf = (job: WireJob): Cell[] => [
  idCell(job.id),
  momentCell(job.created_at),
  job.kind,
  job.state,
  { shown: percent(job), piped: String(job.progress) },
  idCell(job.capture_id),
  job.error?.message ?? '',
]

export async function showJobCommand({ server, report }: Tools, { args }: Given): Promise<number> {
  const job = await findItem<WireJob>(server, JOBS, args[0]!)
  report.answer(job, () =>
    fieldsText([
      ['id', job.id],
      ['kind', job.kind],
      ['state', job.state],
      ['progress', percent(job)],
      ['capture', job.capture_id],
      ['title', job.capture_title],
      ['attempts', String(job.attempts)],
      ['error', job.error?.message ?? null],
      ['queued', localMinute(job.created_at)],
      ['started', job.started_at === null ? null : localMinute(job.started_at)],
      ['ended', job.finished_at === null ? null : localMinute(job.finished_at)],
    ]),
  )
  return EXIT.done
}

export async function cancelJobsCommand(tools: Tools, { args }: Given): Promise<number> {
  const ids = new Set<string>()
  for (const name of args) ids.add((await findItem<WireJob>(tools.server, JOBS, name)).id)
  return each(tools, [...ids], {
    act: (id) => tools.server.request('DELETE', `/jobs/${id}`),
    done: (count) => `Cancelled ${quantity(count, 'job')}.`,
  })
}
