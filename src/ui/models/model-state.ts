// The state of the models view: models, the active one, downloads with progress, and measured speeds.

import { useEffect, useState } from 'preact/hooks'
import { type LoadState, useLoad } from '../parts/load.tsx'
import { onServerEvent, type ServerEvent } from '../server/connection.ts'
import { request } from '../server/request.ts'
import type { ActiveTasks, ListedModel, ModelList, ServerHealth } from '../server/wire.ts'
import { paceOf, type Sample, withSample } from './download-rate.ts'
import { SELF_TESTED } from './model-text.ts'

export type Download = {
  /** as it was requested; also cancels it */
  name: string
  file: string
  status: 'downloading' | 'verifying' | 'complete' | 'error' | 'canceled'
  /** bytes */
  current: number
  total: number | null
  error: string | null
  bytesPerSecond: number | null
}

export type ModelState = { models: ListedModel[]; downloads: Download[]; health: ServerHealth }

type Live = Pick<Download, 'current' | 'total'> & {
  status: Download['status']
  samples: readonly Sample[]
}

type Progress = Extract<ServerEvent, { name: 'model.progress' }>

/** Events name a model by its file name without `ggml-` and `.bin`. */
const fileOf = ({ model_name }: Progress): string => `ggml-${model_name}.bin`

async function loadState(signal: AbortSignal): Promise<ModelState> {
  const [{ models }, { downloads }, health] = await Promise.all([
    request<ModelList>('/models/status', { signal }),
    request<ActiveTasks>('/tasks/active', { signal }),
    request<ServerHealth>('/health', { signal }),
  ])
  return {
    health,
    // Aliases of listed files exist for other clients only.
    models: models.filter(({ alias_of }) => alias_of === null),
    downloads: downloads.map(({ model_name, filename, status, current, total, error }) => ({
      name: model_name,
      file: filename,
      status,
      current,
      total,
      error,
      bytesPerSecond: null,
    })),
  }
}

export function useModels(): LoadState<ModelState> {
  const loaded = useLoad(loadState)
  const [live, setLive] = useState<ReadonlyMap<string, Live>>(new Map())
  const { reload } = loaded
  useEffect(
    () =>
      onServerEvent((event) => {
        if (event.name !== 'model.progress') return
        const { current, total } = event
        const status = event.status as Download['status']
        const file = fileOf(event)
        setLive((before) => {
          const samples = withSample(before.get(file)?.samples ?? [], {
            atMs: performance.now(),
            bytes: current,
          })
          return new Map(before).set(file, { status, current, total, samples })
        })
        // A download started elsewhere is not in the list yet, and only the list has the reason of a failure.
        if (status !== 'downloading' || current === 0) void reload()
      }),
    [reload],
  )
  if (loaded.value === null) return loaded
  const downloads = loaded.value.downloads.map((download) => {
    const progress = live.get(download.file)
    // The reason of the failure arrives with the reloaded list.
    if (progress === undefined || progress.status === 'error' || download.status === 'error') return download
    const { samples, ...now } = progress
    return { ...download, ...now, bytesPerSecond: paceOf(samples) }
  })
  return { ...loaded, value: { ...loaded.value, downloads } }
}

/** Any id will do: the dry run is only made for its speed estimate. */
const NO_CAPTURE = '00000000-0000-7000-8000-000000000000'

type Planned = { real_time_factor: number | null; measured_with: 'this_model' | 'other_models' | null }

/** Seconds of work per second of speech on this computer, by model; null if never measured. */
export function useSpeeds({ models, health }: ModelState): ReadonlyMap<string, number | null> {
  const [speeds, set] = useState<ReadonlyMap<string, number | null>>(new Map())
  const here = models.filter(({ downloaded }) => downloaded).map(({ model_name }) => model_name)
  const selfTested = health.default_model.real_time_factor
  useEffect(() => {
    const reading = new AbortController()
    const speedOf = async (model: string) => {
      const json = { ids: [NO_CAPTURE], model, dry_run: true }
      const planned = await request<Planned>('/captures/retranscribe', {
        method: 'POST',
        json,
        signal: reading.signal,
      }).catch(() => null)
      const own = planned?.measured_with === 'this_model' ? planned.real_time_factor : null
      return [model, own ?? (model === SELF_TESTED ? selfTested : null)] as const
    }
    void Promise.all(here.map(speedOf)).then((all) => reading.signal.aborted || set(new Map(all)))
    return () => reading.abort()
  }, [here.join(' '), selfTested])
  return speeds
}
