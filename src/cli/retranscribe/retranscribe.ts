// dictation retranscribe: transcribes many captures again with another model or language. The server does the work, and
// continues when this command ends.

import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Given } from '../command.ts'
import { allOf, momentOption } from '../option-values.ts'
import { EXIT, exitWith } from '../terminal/exit.ts'
import { UsageError } from '../terminal/failure.ts'
import { createPace } from '../terminal/pace.ts'
import { duration } from '../terminal/report.ts'
import type { Tools } from '../tools.ts'

type Options = {
  all?: boolean
  ids?: string
  since?: string
  until?: string
  app?: string
  'from-model'?: string
  spoken?: string
  failed?: boolean
  model?: string
  language?: string
  'keep-refined'?: boolean
  again?: boolean
  'dry-run'?: boolean
  detach?: boolean
}

type Plan = {
  total: number
  to_do: number
  skipped: number
  audio_seconds: number
  real_time_factor: number | null
  estimate_seconds: number | null
}

type Batch = {
  id: string
  state: 'running' | 'completed' | 'canceled'
  total: number
  completed: number
  failed: number
  skipped: number
  canceled: number
  estimate_seconds: number | null
  errors: { capture_id: string; code: string; message: string }[]
}

/** The pause in multiples of the response time: reading a batch of a hundred thousand is work for the server, too. */
const PAUSE_PER_ANSWER = 10
const [SHORTEST_PAUSE_MS, LONGEST_PAUSE_MS] = [1000, 15_000]

export async function retranscribe(tools: Tools, { options }: Given<Options>): Promise<number> {
  const { server, report } = tools
  const request = requestOf(options)
  if (options['dry-run']) {
    const plan = await server.request<Plan>('POST', '/captures/retranscribe', {
      json: { ...request, dry_run: true },
    })
    report.event('plan', plan)
    report.note(planned(plan))
    return EXIT.done
  }
  const begun = await server.request<{ batch_id: string; queued: number; skipped: number }>(
    'POST',
    '/captures/retranscribe',
    { json: { ...request, key: keyOf(options) } },
  )
  report.event('begun', { batch_id: begun.batch_id, queued: begun.queued, skipped: begun.skipped })
  if (options.detach) {
    report.note(`Batch ${begun.batch_id}: ${begun.queued} captures queued, ${begun.skipped} skipped.`)
    return EXIT.done
  }
  return watch(tools, begun.batch_id)
}

async function watch({ server, report }: Tools, id: string): Promise<number> {
  let soFar = ''
  const stop = () => {
    report.say(
      `${soFar}The server continues the batch. Run the same command to follow it again; DELETE /jobs/batches/${id} cancels it.`,
    )
    void exitWith(EXIT.interrupted)
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stop)
  const pace = createPace()
  let last = -1
  for (;;) {
    const requestedAt = performance.now()
    const batch = await server.request<Batch>('GET', `/jobs/batches/${id}`)
    const pauseMs = (performance.now() - requestedAt) * PAUSE_PER_ANSWER
    const done = batch.completed + batch.failed + batch.skipped + batch.canceled
    // The server's estimate takes the lengths of the recordings into account.
    const left = batch.estimate_seconds === null ? '' : `, ${duration(batch.estimate_seconds)} left`
    const now = pace({ done, total: batch.total })
    const speed = now === null ? '' : `${(now.perSecond * 60).toFixed(1)} a minute${left}, `
    report.progress({ done, total: batch.total, text: `${speed}${batch.failed} failed` })
    soFar = `${done} of ${batch.total} done, ${batch.failed} failed. `
    if (done !== last || batch.state !== 'running')
      report.event(batch.state === 'running' ? 'progress' : 'ended', batch)
    last = done
    if (batch.state !== 'running') return ended(batch, report)
    await sleep(Math.min(Math.max(pauseMs, SHORTEST_PAUSE_MS), LONGEST_PAUSE_MS))
  }
}

function ended(batch: Batch, report: Tools['report']): number {
  const { completed, failed, skipped, canceled, errors } = batch
  report.note(`${completed} transcribed, ${failed} failed, ${skipped} skipped, ${canceled} cancelled.`)
  for (const { capture_id, message } of errors) report.say(`  ${capture_id}: ${message}`)
  return failed + canceled > 0 ? EXIT.failed : EXIT.done
}

function planned({ total, to_do, skipped, audio_seconds, real_time_factor, estimate_seconds }: Plan): string {
  const audio = `${to_do} of ${total} captures (${duration(audio_seconds)} of audio); ${skipped} need no work`
  if (estimate_seconds === null || real_time_factor === null)
    return `${audio}. There is no measurement yet to estimate the time.`
  return `${audio}. It would take about ${duration(estimate_seconds)}, at ${real_time_factor.toFixed(2)} seconds of work per second of audio.`
}

function requestOf(options: Options) {
  return {
    ...whichOf(options),
    ...(options.model !== undefined && { model: options.model }),
    ...(options.language !== undefined && { language: options.language }),
    keep_refined: options['keep-refined'] === true,
    skip_if_same_model: options.again !== true,
  }
}

function whichOf(options: Options): { ids: string[] } | { filter: object } {
  const { since, until } = allOf({
    since: () => momentOption('since', options.since),
    until: () => momentOption('until', options.until),
  })
  const filter = {
    since,
    until,
    app: options.app,
    model: options['from-model'],
    language: options.spoken,
    status: options.failed ? 'failed' : undefined,
  }
  const isNarrowed = Object.values(filter).some((value) => value !== undefined)
  const ids = options.ids
    ?.split(',')
    .map((id) => id.trim())
    .filter((id) => id !== '')
  if (ids !== undefined) {
    if (isNarrowed || options.all) throw new UsageError('--ids cannot be combined with other selections.')
    if (ids.length === 0) throw new UsageError('--ids must name at least one capture.')
    return { ids }
  }
  if (!isNarrowed && !options.all) throw new UsageError('Select captures: --all, --ids, --since, --failed, …')
  return { filter }
}

/** The same options identify the same work: an age such as 7d is not converted to a time. */
const keyOf = (options: Options): string => {
  const meant = Object.entries(options).filter(([name]) => name !== 'detach')
  return createHash('sha256').update(JSON.stringify(meant.toSorted())).digest('hex')
}
