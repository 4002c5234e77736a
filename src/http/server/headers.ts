// Around every response: headers for browser protection and CORS, the request log, and the count of requests in flight.
// CORS only lets pages read what guard.ts has already allowed.

import type { Log } from '../../lib/log.ts'
import { pause } from '../../lib/retry.ts'
import type { Fetch } from '../kernel/connection.ts'
import type { Answered, TranscriptionMeasured } from './metrics-registry.ts'
import { isAllowedForeign } from './origins.ts'

const METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE'
const REQUEST_HEADERS =
  'Accept, Authorization, Content-Type, If-Match, If-None-Match, If-Range, Last-Event-ID, Prefer, Range'
const READABLE_HEADERS = 'Accept-Ranges, Content-Range, ETag, Location, Retry-After, Allow'

/** A response must not load, run or be framed, unless it sets its own policy. */
const NO_CONTENT_POLICY = "default-src 'none'; frame-ancestors 'none'"

/** Sets the headers in place and returns the same response. */
export function completeHeaders(request: Request, response: Response, origins: readonly string[]): Response {
  const { headers } = response
  headers.set('x-content-type-options', 'nosniff')
  headers.set('cross-origin-resource-policy', 'same-origin')
  headers.set('referrer-policy', 'no-referrer')
  if (!headers.has('content-security-policy')) headers.set('content-security-policy', NO_CONTENT_POLICY)
  if (!headers.has('cache-control')) headers.set('cache-control', 'no-store')
  if (headers.get('content-type')?.startsWith('text/html')) {
    headers.set('cross-origin-opener-policy', 'same-origin')
  }
  allowOrigin(request, headers, origins)
  return response
}

/** Echoes the exact origin, never `*`, and allows no credentials. */
function allowOrigin(request: Request, headers: Headers, origins: readonly string[]): void {
  headers.append('vary', 'Origin')
  const origin = request.headers.get('origin')
  if (origin === null || !isAllowedForeign(origin, origins)) return
  headers.set('access-control-allow-origin', origin)
  headers.set('access-control-expose-headers', READABLE_HEADERS)
  if (request.method !== 'OPTIONS') return
  headers.set('access-control-allow-methods', METHODS)
  // Clients send their own headers (`x-stainless-…`), and no header is harmful to this server.
  const requested = request.headers.get('access-control-request-headers')
  headers.set('access-control-allow-headers', requested || REQUEST_HEADERS)
  headers.set('access-control-max-age', '600')
}

/** Routes that clients poll. */
const QUIET = new Set(['/health', '/metrics', '/', '/tasks/active'])

const rounded = (seconds: number) => Math.round(seconds * 1000) / 1000

export const logAnswered =
  (log: Log) =>
  ({ method, route, status, seconds }: Answered): void => {
    const quiet = status < 400 && (route === null || QUIET.has(route) || route.startsWith('/docs'))
    log[quiet ? 'debug' : 'info']({ method, route, status, seconds: rounded(seconds) }, 'answered')
  }

export const logTranscribed =
  (log: Log) =>
  ({ model, audioMs, processingMs }: TranscriptionMeasured): void =>
    log.info(
      { model, audioSeconds: rounded(audioMs / 1000), seconds: rounded(processingMs / 1000) },
      'transcribed',
    )

export type InFlight = {
  fetch: Fetch
  /** resolves when no request is in flight, or at the deadline */
  over(deadlineMs: number): Promise<void>
}

export function trackInFlight(fetch: Fetch): InFlight {
  const inFlight = new Set<Promise<Response>>()
  return {
    fetch(request, connection) {
      const answer = fetch(request, connection)
      inFlight.add(answer)
      return answer.finally(() => inFlight.delete(answer))
    },
    async over(deadlineMs) {
      const isOver = new AbortController()
      const last = Promise.allSettled(inFlight).then(() => isOver.abort())
      await Promise.race([last, pause(deadlineMs, isOver.signal)])
    },
  }
}
