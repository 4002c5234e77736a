// The state of the jobs view, updated by server events: active, waiting and recently failed jobs, batches and
// downloads.

import { useEffect, useState } from 'preact/hooks'
import { type AskedOf, useAsked } from '../parts/asked.tsx'
import { ask } from '../server/ask.ts'
import { onServerEvent } from '../server/connection.ts'
import type { ActiveTasks, DetailedBatch, ListedBatch, ListOf, ShownJob } from '../server/wire.ts'

export type JobsState = {
  active: ShownJob[]
  waiting: ShownJob[]
  /** how many jobs wait in total */
  waitingTotal: number
  failed: ShownJob[]
  batches: (ListedBatch | DetailedBatch)[]
  downloads: ActiveTasks['downloads']
}

/** Debounce: many jobs change at once, so the state reloads this long after the first change. */
const SETTLE_MS = 400

async function loadJobs(signal: AbortSignal): Promise<JobsState> {
  const jobsIn = (state: ShownJob['state'], limit: number) =>
    ask<ListOf<ShownJob>>(`/jobs?state=${state}&limit=${limit}`, { signal })
  const [active, waiting, failed, batches, { downloads }] = await Promise.all([
    jobsIn('active', 50),
    jobsIn('waiting', 50),
    jobsIn('failed', 20),
    ask<ListOf<ListedBatch>>('/jobs/batches?limit=20', { signal }),
    ask<ActiveTasks>('/tasks/active', { signal }),
  ])
  const detailed = await Promise.all(
    batches.items.map((batch) =>
      batch.state === 'running' || batch.failed > 0
        ? ask<DetailedBatch>(`/jobs/batches/${batch.id}`, { signal })
        : batch,
    ),
  )
  return {
    active: active.items,
    waiting: waiting.items,
    waitingTotal: waiting.total,
    failed: failed.items,
    batches: detailed,
    downloads,
  }
}

export function useJobs(): AskedOf<JobsState> {
  const asked = useAsked(loadJobs)
  const [progress, setProgress] = useState<ReadonlyMap<string, number>>(new Map())
  const { again } = asked
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const lookSoon = () => {
      timer ??= setTimeout(() => {
        timer = undefined
        void again()
      }, SETTLE_MS)
    }
    const end = onServerEvent((event) => {
      if (event.name === 'job.progress') {
        setProgress((before) => new Map(before).set(event.job_id, event.progress))
        if (event.state !== 'active' || event.progress === 0) lookSoon()
      }
      if (event.name === 'model.progress') lookSoon()
    })
    return () => {
      end()
      clearTimeout(timer)
    }
  }, [again])
  if (asked.value === null) return asked
  const active = asked.value.active.map((job) => ({ ...job, progress: progress.get(job.id) ?? job.progress }))
  return { ...asked, value: { ...asked.value, active } }
}
