// Requests that change models; each reports its failure as a toast.

import { attempt } from '../parts/attempt.ts'
import { ask } from '../server/ask.ts'

const at = (name: string, rest = '') => `/models/${encodeURIComponent(name)}${rest}`

/** @param name of a model, or `auto` */
export const hearWith = (name: string): Promise<boolean> =>
  attempt(() => ask('/settings/captures', { method: 'PATCH', json: { stt_model: name } }))

export const loadModel = (name: string): Promise<boolean> =>
  attempt(() => ask(at(name, '/load'), { method: 'POST' }))

export const unloadModel = (name: string): Promise<boolean> =>
  attempt(() => ask(at(name, '/unload'), { method: 'POST' }))

export const deleteModel = (name: string): Promise<boolean> =>
  attempt(() => ask(at(name), { method: 'DELETE' }))

export const startDownload = (name: string): Promise<boolean> =>
  attempt(() => ask('/models/download', { method: 'POST', json: { model_name: name } }))

export const cancelDownload = (name: string): Promise<boolean> =>
  attempt(() => ask('/models/download/cancel', { method: 'POST', json: { model_name: name } }))

export const clearFailedDownloads = (): Promise<boolean> =>
  attempt(() => ask('/tasks/clear', { method: 'POST' }))
