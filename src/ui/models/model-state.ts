// The state of the models view: models, the active one, downloads with progress, and measured speeds, with the
// actions and texts for them.

import { useEffect, useState } from 'preact/hooks'
import { figure, megabytes, timeSpan } from '../parts/formats.ts'
import { type LoadState, useLoad } from '../parts/load.tsx'
import { attempt } from '../parts/toasts.tsx'
import { onServerEvent, type ServerEvent } from '../server/connection.ts'
import { request } from '../server/request.ts'
import type { ActiveTasks, ListedModel, ModelList, ServerHealth } from '../server/wire.ts'
import { filled, strings } from '../strings/strings.ts'

/** Long enough to smooth out a short stall. */
const WINDOW_MS = 10_000

export type Sample = { atMs: number; bytes: number }

/**
 * The samples within the window, with one more. If the byte count drops, the download has restarted and so does the
 * window.
 */
export function withSample(samples: readonly Sample[], sample: Sample): readonly Sample[] {
  if (sample.bytes < (samples.at(-1)?.bytes ?? 0)) return [sample]
  const counted = samples.filter(({ atMs }) => sample.atMs - atMs <= WINDOW_MS)
  // Keeps one sample from before the window if no other is left for comparison.
  return [...(counted.length > 0 ? counted : samples.slice(-1)), sample]
}

/** Null with fewer than two samples. */
export function paceOf(samples: readonly Sample[]): number | null {
  const [first, last] = [samples[0], samples.at(-1)]
  if (!first || !last || last.atMs <= first.atMs || last.bytes <= first.bytes) return null
  return ((last.bytes - first.bytes) * 1000) / (last.atMs - first.atMs)
}

export function languagesOf({ multilingual }: Pick<ListedModel, 'multilingual'>): string {
  const { models } = strings.value
  if (multilingual === null) return models.unknown
  return multilingual ? models.allLanguages : models.englishOnly
}

export function sizeOf({ size_mb, expected_size_mb }: ListedModel): string {
  const mb = size_mb ?? expected_size_mb
  return mb === null ? strings.value.models.unknown : megabytes(mb)
}

/** @param realTimeFactor seconds of work per second of speech; null: not measured */
export function speedWords(realTimeFactor: number | null): string {
  const { models } = strings.value
  if (realTimeFactor === null) return models.notMeasured
  return filled(models.seconds, { work: timeSpan(realTimeFactor * 60) })
}

/** Speed as a multiple of real time. */
export const timesRealTime = (realTimeFactor: number | null): string | null =>
  realTimeFactor ? `${figure(1 / realTimeFactor, 1)} ×` : null

/** The model that the server benchmarks after a start. */
export const SELF_TESTED = 'base-q5_1'

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

const at = (name: string, rest = '') => `/models/${encodeURIComponent(name)}${rest}`

/** @param name of a model, or `auto` */
export const activateModel = (name: string): Promise<boolean> =>
  attempt(() => request('/settings/captures', { method: 'PATCH', json: { stt_model: name } }))

export const loadModel = (name: string): Promise<boolean> =>
  attempt(() => request(at(name, '/load'), { method: 'POST' }))

export const unloadModel = (name: string): Promise<boolean> =>
  attempt(() => request(at(name, '/unload'), { method: 'POST' }))

export const deleteModel = (name: string): Promise<boolean> =>
  attempt(() => request(at(name), { method: 'DELETE' }))

export const startDownload = (name: string): Promise<boolean> =>
  attempt(() => request('/models/download', { method: 'POST', json: { model_name: name } }))

export const cancelDownload = (name: string): Promise<boolean> =>
  attempt(() => request('/models/download/cancel', { method: 'POST', json: { model_name: name } }))

export const clearFailedDownloads = (): Promise<boolean> =>
  attempt(() => request('/tasks/clear', { method: 'POST' }))
