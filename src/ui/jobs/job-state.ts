// The state of the jobs view, updated by server events: active, waiting and recently failed jobs, batches and
// downloads.

import { useEffect, useState } from 'preact/hooks'
import { type LoadState, useLoad } from '../parts/load.tsx'
import { onServerEvent } from '../server/connection.ts'
import { request } from '../server/request.ts'
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
    request<ListOf<ShownJob>>(`/jobs?state=${state}&limit=${limit}`, { signal })
  const [active, waiting, failed, batches, { downloads }] = await Promise.all([
    jobsIn('active', 50),
    jobsIn('waiting', 50),
    jobsIn('failed', 20),
    request<ListOf<ListedBatch>>('/jobs/batches?limit=20', { signal }),
    request<ActiveTasks>('/tasks/active', { signal }),
  ])
  const detailed = await Promise.all(
    batches.items.map((batch) =>
      batch.state === 'running' || batch.failed > 0
        ? request<DetailedBatch>(`/jobs/batches/${batch.id}`, { signal })
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

export function useJobs(): LoadState<JobsState> {
  const loaded = useLoad(loadJobs)
  const [progress, setProgress] = useState<ReadonlyMap<string, number>>(new Map())
  const { reload } = loaded
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const lookSoon = () => {
      timer ??= setTimeout(() => {
        timer = undefined
        void reload()
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
  }, [reload])
  if (loaded.value === null) return loaded
  const active = loaded.value.active.map((job) => ({
    ...job,
    progress: progress.get(job.id) ?? job.progress,
  }))
  return { ...loaded, value: { ...loaded.value, active } }
}
