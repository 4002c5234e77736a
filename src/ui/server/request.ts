// Requests to the server; a refusal is thrown with the server's own message. The first ones are sent before the view's
// code has loaded.

import { signal } from '@preact/signals'
import { problemText } from './problem-text.ts'
import { authorization, currentSession, endSession } from './session.ts'
import type { ListedCapture, ListOf, ProblemBody } from './wire.ts'

export const isReachable = signal(true)

/** Resolves at once if the server responds. */
export const serverIsBack = (): Promise<void> =>
  new Promise((resolve) => {
    const end = isReachable.subscribe((reachable) => {
      if (!reachable) return
      queueMicrotask(() => end())
      resolve()
    })
  })

/** Longer than any code takes to load; an older response may be out of date. */
const FRESH_MS = 5000

type Prefetched = {
  path: string
  response: Promise<Response>
  /** the session that the request was sent with */
  session: string | null
  /** by performance.now() */
  at: number
}

let prefetched: Prefetched | null = null

export function prefetch(path: string): void {
  const session = currentSession()
  const response = fetch(path, { headers: { accept: 'application/json', ...authorization(session) } })
  // The consumer handles the rejection.
  response.catch(() => {})
  prefetched = { path, response, session, at: performance.now() }
}

/** The prefetched response, unless the user has signed in or out since; can be taken once. */
function takePrefetched(path: string, session: string | null): Promise<Response> | null {
  if (prefetched === null || prefetched.path !== path) return null
  const taken = prefetched
  prefetched = null
  return taken.session === session && performance.now() - taken.at < FRESH_MS ? taken.response : null
}

/** The server rejected the request; the message is for the user, `problem` has the server's own and its code. */
export class Refused extends Error {
  constructor(readonly problem: ProblemBody) {
    super(problemText({ code: problem.code, message: problem.detail ?? problem.title }))
  }
}

/** The server did not respond. */
export class Unreachable extends Error {}

type RequestOptions = {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** sent as JSON */
  json?: unknown
  /** sent as it is */
  body?: BodyInit
  headers?: Record<string, string>
  signal?: AbortSignal
}

/** @throws Refused, Unreachable, or an AbortError of `signal` */
export async function request<Answer>(path: string, options: RequestOptions = {}): Promise<Answer> {
  const response = await send(path, options)
  return response.status === 204 ? (undefined as Answer) : ((await response.json()) as Answer)
}

export async function requestText(path: string, options: RequestOptions = {}): Promise<string> {
  return (await send(path, options)).text()
}

/** Whether the server responds at all. */
export const isServerReachable = (): Promise<boolean> =>
  request('/health').then(
    () => true,
    (error) => !(error instanceof Unreachable),
  )

/** Downloads a file, with the name that the server gives it. */
export async function requestBlob(
  path: string,
  options: RequestOptions = {},
): Promise<{ blob: Blob; name: string }> {
  const response = await send(path, options)
  const [, name = 'download'] = response.headers.get('content-disposition')?.match(/filename="([^"]+)"/) ?? []
  return { blob: await response.blob(), name }
}

async function send(
  path: string,
  { method = 'GET', json, body, headers, signal }: RequestOptions,
): Promise<Response> {
  const isJson = json !== undefined
  const isPlain = method === 'GET' && headers === undefined
  const session = currentSession()
  const sent =
    (isPlain ? takePrefetched(path, session) : null) ??
    fetch(path, {
      method,
      headers: {
        accept: 'application/json',
        ...authorization(session),
        ...(isJson && { 'content-type': 'application/json' }),
        ...headers,
      },
      body: isJson ? JSON.stringify(json) : (body ?? null),
      signal: signal ?? null,
    })
  const response = await sent.catch((error: unknown) => {
    if (signal?.aborted) throw error
    isReachable.value = false
    throw new Unreachable('unreachable', { cause: error })
  })
  signal?.throwIfAborted()
  isReachable.value = true
  if (response.status === 401) endSession(session)
  if (!response.ok) throw new Refused(await problemOf(response))
  return response
}

/** Handles an error from a proxy, which has a different body. */
async function problemOf(response: Response): Promise<ProblemBody> {
  const { status } = response
  const body = (await response.json().catch(() => null)) as Partial<ProblemBody> | null
  const title = `${status} ${response.statusText}`.trim()
  return { type: 'about:blank', title, status, code: 'internal_error', detail: title, ...body } as ProblemBody
}

/**
 * Includes the trash. Null if there is none, or if the page is not in a secure context, where the browser cannot hash.
 * @throws Refused, Unreachable
 */
export async function findCaptureByAudio(sound: Blob): Promise<ListedCapture | null> {
  // A duplicate is better than a loss.
  if (!isSecureContext) return null
  const digest = await crypto.subtle.digest('SHA-256', await sound.arrayBuffer())
  const audio_sha256 = [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  for (const trashed of ['false', 'true']) {
    const query = new URLSearchParams({ audio_sha256, trashed, limit: '1' })
    const { items } = await request<ListOf<ListedCapture>>(`/captures?${query}`)
    if (items[0]) return items[0]
  }
  return null
}
