// One request to the model hub. Follows redirects itself, to read the file's metadata on the way.
// Only the hub's own metadata is trusted; the host it redirects to only sends bytes.

import { fail, type Result, succeed } from '../lib/result.ts'
import { networkReason } from '../lib/system-reason.ts'

export type HubAnswer = {
  response: Response
  /** the hub's own value (`X-Linked-Etag` of a file in large file storage) */
  sha256: string | null
  /** the hub's own value (`X-Linked-Size`) */
  bytes: number | null
}

export type HubRefusal = {
  /** `later`: a retry may help; `never`: it will not; `absent`: the file does not exist */
  again: 'later' | 'never' | 'absent'
  message: string
  /** delay requested by the hub */
  retryAfterMs: number | null
}

export type HubRequest = {
  url: string
  headers?: Record<string, string>
  signal: AbortSignal
  /** rejects redirects to other hosts, for responses that are trusted without a hash */
  stayAtHub?: boolean
}

const MAX_REDIRECTS = 5
const REDIRECTS = new Set([301, 302, 303, 307, 308])

/** Temporary statuses. Other hosts also send 403 and 410, for expired URLs. */
const PASSING = new Set([408, 425, 429])

/**
 * GET, following redirects. 200, 206 and 416 are results, every other status is a failure.
 * @throws the signal's reason when it aborts
 */
export async function askHub({
  url,
  headers,
  signal,
  stayAtHub = false,
}: HubRequest): Promise<Result<HubAnswer, HubRefusal>> {
  const hub = new URL(url).origin
  let at = new URL(url)
  let sha256: string | null = null
  let bytes: number | null = null
  for (let hop = 0; hop <= MAX_REDIRECTS; hop += 1) {
    const response = await request(at, headers, signal)
    if ('reason' in response) return fail(later(`${at.host} cannot be reached${response.reason}`))
    if (at.origin === hub) {
      sha256 ??= linkedSha256(response.headers)
      bytes ??= parseWholeNumber(response.headers.get('x-linked-size'))
    }
    if (!REDIRECTS.has(response.status)) {
      if ([200, 206, 416].includes(response.status)) return succeed({ response, sha256, bytes })
      await response.body?.cancel().catch(() => {})
      return fail(refusalOf(response, at, at.origin === hub))
    }
    await response.body?.cancel().catch(() => {})
    const next = nextAddress(at, response.headers.get('location'))
    if (next === null || (stayAtHub && next.origin !== hub))
      return fail(never(`${at.host} redirects to an unsafe URL`))
    at = next
  }
  return fail(never(`${at.host} redirects too often`))
}

/** @returns `reason` if there was no response */
async function request(
  url: URL,
  headers: Record<string, string> | undefined,
  signal: AbortSignal,
): Promise<Response | { reason: string }> {
  try {
    return await fetch(url, {
      redirect: 'manual',
      signal,
      // No compression: lengths and ranges must refer to the file's bytes.
      headers: { 'accept-encoding': 'identity', 'user-agent': 'local-dictation', ...headers },
      decompress: false,
    })
  } catch (error) {
    signal.throwIfAborted()
    return { reason: networkReason(error) }
  }
}

/** Allows http and https only, and no downgrade from https to http. */
function nextAddress(from: URL, location: string | null): URL | null {
  if (location === null || !URL.canParse(location, from)) return null
  const next = new URL(location, from)
  if (next.username !== '' || next.password !== '') return null
  if (next.protocol === 'https:') return next
  return next.protocol === 'http:' && from.protocol === 'http:' ? next : null
}

const never = (message: string): HubRefusal => ({ again: 'never', message, retryAfterMs: null })
const later = (message: string, retryAfterMs: number | null = null): HubRefusal => ({
  again: 'later',
  message,
  retryAfterMs,
})

function refusalOf({ status, headers }: Response, { host }: URL, isHub: boolean): HubRefusal {
  if (status === 404 && isHub)
    return { again: 'absent', message: `${host} has no such file`, retryAfterMs: null }
  // The hub also responds with these for missing repositories, to hide which exist.
  if ((status === 401 || status === 403) && isHub)
    return {
      again: 'absent',
      message: `${host} requires a login for this file`,
      retryAfterMs: null,
    }
  const said = `${host} responded with status ${status}`
  const waits = retryAfterMs(headers.get('retry-after'))
  if (PASSING.has(status) || status >= 500 || !isHub) return later(said, waits)
  return never(said)
}

/** Seconds or a date (RFC 9110, section 10.2.3). */
export function retryAfterMs(value: string | null, nowMs = Date.now()): number | null {
  if (value === null) return null
  if (/^\s*\d{1,9}\s*$/.test(value)) return Number(value) * 1000
  const at = Date.parse(value)
  return Number.isNaN(at) ? null : Math.max(0, at - nowMs)
}

const linkedSha256 = (headers: Headers): string | null =>
  /^(?:W\/)?"?([0-9a-f]{64})"?$/i.exec(headers.get('x-linked-etag') ?? '')?.[1]?.toLowerCase() ?? null

export const parseWholeNumber = (text: string | null): number | null =>
  text !== null && /^\d{1,15}$/.test(text) ? Number(text) : null
