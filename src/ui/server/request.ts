// Requests to the server; a refusal is thrown with the server's own message.

import { takePrefetched } from './prefetch.ts'
import { isReachable } from './reachable.ts'
import { authorization, currentSession, endSession } from './session.ts'
import type { ProblemBody } from './wire.ts'

/** The server rejected the request; `problem` has a message for users and a code for programs. */
export class Refused extends Error {
  constructor(readonly problem: ProblemBody) {
    super(problem.detail ?? problem.title)
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
  const ahead = isPlain ? takePrefetched(path) : null
  const session = ahead === null ? currentSession() : ahead.session
  const sent =
    ahead?.response ??
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
