// The open capture and the job running on it, both updated by server events.

import { type Signal, signal } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'
import { onServerEvent } from '../server/connection.ts'
import { request } from '../server/request.ts'
import type { DetailedCapture, ListOf, ShownJob } from '../server/wire.ts'

export type Work = { jobId: string; progress: number; beganAt: number }

export type CaptureState = {
  id: string
  capture: Signal<DetailedCapture | null>
  fault: Signal<Error | null>
  /** a waiting or running job */
  work: Signal<Work | null>
  load(): Promise<void>
}

function createCaptureState(id: string): CaptureState {
  const capture = signal<DetailedCapture | null>(null)
  const fault = signal<Error | null>(null)
  const work = signal<Work | null>(null)
  return {
    id,
    capture,
    fault,
    work,
    async load() {
      try {
        capture.value = await request<DetailedCapture>(`/captures/${id}`)
        fault.value = null
      } catch (error) {
        fault.value = error as Error
      }
    },
  }
}

/** Finds a job that started before the page was opened. */
async function findWork({ id, work }: CaptureState): Promise<void> {
  for (const state of ['active', 'waiting']) {
    const found = await request<ListOf<ShownJob>>(`/jobs?capture_id=${id}&state=${state}&limit=1`).catch(
      () => null,
    )
    const job = found?.items[0]
    if (!job) continue
    work.value ??= { jobId: job.id, progress: job.progress, beganAt: Date.now() }
    return
  }
}

export function useCaptureState(id: string): CaptureState {
  const state = useMemo(() => createCaptureState(id), [id])
  useEffect(() => {
    void state.load()
    void findWork(state)
    return onServerEvent((event) => {
      if (event.name === 'reset') {
        void state.load()
        void findWork(state)
        return
      }
      if (!('capture_id' in event) || event.capture_id !== id) return
      if (event.name !== 'job.progress') return void state.load()
      const isOver = event.state !== 'waiting' && event.state !== 'active'
      const beganAt = state.work.value?.beganAt ?? Date.now()
      state.work.value = isOver ? null : { jobId: event.job_id, progress: event.progress, beganAt }
      if (isOver) void state.load()
    })
  }, [state])
  return state
}
