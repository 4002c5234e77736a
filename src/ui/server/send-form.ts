// Uploads a form with progress, which fetch does not report.

import { isReachable, Refused, Unreachable } from './request.ts'
import { authorization, currentSession, endSession } from './session.ts'
import type { ProblemBody } from './wire.ts'

type Sending = {
  /** 0 to 1 */
  onProgress: (fraction: number) => void
  signal: AbortSignal
}

/** @throws Refused, Unreachable, or the reason of `signal` */
export function sendForm<Answer>(
  path: string,
  form: FormData,
  { onProgress, signal }: Sending,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const session = currentSession()
    const request = new XMLHttpRequest()
    request.open('POST', path)
    request.responseType = 'json'
    for (const [name, value] of Object.entries({ accept: 'application/json', ...authorization(session) }))
      request.setRequestHeader(name, value)
    request.upload.addEventListener(
      'progress',
      ({ loaded, total }) => total > 0 && onProgress(loaded / total),
    )
    request.addEventListener('load', () => {
      isReachable.value = true
      if (request.status === 401) endSession(session)
      if (request.status < 300) resolve(request.response as Answer)
      else reject(new Refused(problemIn(request)))
    })
    request.addEventListener('error', () => reject(new Unreachable('unreachable')))
    request.addEventListener('abort', () => reject(signal.reason))
    const stop = () => request.abort()
    signal.addEventListener('abort', stop)
    request.addEventListener('loadend', () => signal.removeEventListener('abort', stop))
    request.send(form)
  })
}

/** Handles an error from a proxy, which has a different body. */
function problemIn({ status, statusText, response }: XMLHttpRequest): ProblemBody {
  const title = `${status} ${statusText}`.trim()
  const problem = response as Partial<ProblemBody> | null
  return {
    type: 'about:blank',
    title,
    status,
    code: 'internal_error',
    detail: title,
    ...problem,
  } as ProblemBody
}

export const recordedAt = (ms: number): { recorded_at?: string } =>
  ms > 0 && ms <= Date.now() ? { recorded_at: new Date(ms).toISOString() } : {}
