// An API client for the upgrade test: JSON requests with the folder's token, and uploads. An error status throws, except
// in `send`.

import { join } from 'node:path'
import { until } from '../support/until.ts'

// biome-ignore lint/suspicious/noExplicitAny: answers are compared as they are
export type Json = any

export type Client = {
  /** the response, whatever its status */
  send(method: string, path: string, body?: unknown): Promise<Response>
  get(path: string): Promise<Json>
  post(path: string, body?: unknown): Promise<Json>
  put(path: string, body?: unknown): Promise<Json>
  patch(path: string, body: unknown): Promise<Json>
  remove(path: string): Promise<Json>
  /** the id of the new capture; it waits for the text unless `wait` is false */
  upload(file: string, fields?: Record<string, string>, how?: { wait: boolean }): Promise<string>
  token: string
  url: string
}

const root = join(import.meta.dir, '..')

export function clientOf({ url }: { url: string }, token: string): Client {
  const authorization = `Bearer ${token}`
  const send = (method: string, path: string, body?: unknown): Promise<Response> =>
    fetch(`${url}${path}`, {
      method,
      headers: { authorization, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
  const json = async (method: string, path: string, body?: unknown): Promise<Json> => {
    const response = await send(method, path, body)
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path} returned ${response.status}: ${text}`)
    return text === '' ? null : JSON.parse(text)
  }
  return {
    ...{ send, token, url },
    get: (path) => json('GET', path),
    post: (path, body) => json('POST', path, body),
    put: (path, body) => json('PUT', path, body),
    patch: (path, body) => json('PATCH', path, body),
    remove: (path) => json('DELETE', path),
    async upload(file, fields = {}, { wait } = { wait: true }) {
      const form = new FormData()
      for (const [name, value] of Object.entries(fields)) form.set(name, value)
      const name = file.split('/').at(-1)!
      form.set('file', new File([await Bun.file(join(root, file)).arrayBuffer()], name))
      const path = `/captures?wait=${wait ? 600 : false}`
      const init = { method: 'POST', headers: { authorization }, body: form }
      const response = await fetch(`${url}${path}`, init)
      if (!response.ok) throw new Error(`POST ${path} returned ${response.status}: ${await response.text()}`)
      return ((await response.json()) as Json).id
    },
  }
}

const OVER_WITHIN_MS = 240_000

/** Waits until no job and no batch is left to do. */
export async function workIsOver({ get }: Client): Promise<void> {
  const isOver = async () => {
    const { queue } = await get('/health')
    if (queue.waiting + queue.active > 0) return false
    const { items } = await get('/jobs/batches?limit=200')
    return items.every((batch: Json) => batch.state !== 'running')
  }
  // Twice: a batch queues its next job after the last one has ended.
  await until(async () => (await isOver()) && (await isOver()), {
    timeoutMs: OVER_WITHIN_MS,
    what: 'all jobs and batches to end',
  })
}
