// Requests that change models; each reports its failure as a toast.

import { attempt } from '../parts/attempt.ts'
import { request } from '../server/request.ts'

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
