// Whisper's repository on the Hugging Face hub, or a mirror of it: addresses, requests, and the list of its files.

import { Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { networkReason } from '../lib/os-errors.ts'
import { fail, type Result, succeed } from '../lib/result.ts'

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
export async function requestHub({
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

/** whisper.cpp publishes its models here. */
export const PUBLIC_HUB = 'https://huggingface.co'

export type HubFile = {
  /** `owner/name` */
  repository: string
  /** a branch or a commit */
  revision: string
  /** within the repository */
  path: string
}

/** The URL of a hub or mirror without a trailing slash; the failure is a message for users. */
export function parseBaseUrl(text: string): Result<string, string> {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null || !['http:', 'https:'].includes(url.protocol))
    return fail('must be a URL such as https://huggingface.co')
  if (url.username !== '' || url.password !== '') return fail('must not contain a user name or password')
  if (url.search !== '' || url.hash !== '') return fail('must not have a query or a fragment')
  return succeed(url.href.replace(/\/+$/, ''))
}

const inPath = (text: string): string => text.split('/').map(encodeURIComponent).join('/')

export const fileUrl = (baseUrl: string, { repository, revision, path }: HubFile): string =>
  `${baseUrl}/${inPath(repository)}/resolve/${encodeURIComponent(revision)}/${inPath(path)}`

/** Lists the file's folder, with the SHA-256 of files in large file storage. */
function listingUrl(baseUrl: string, { repository, revision, path }: HubFile): string {
  const folder = path.includes('/') ? `/${inPath(path.slice(0, path.lastIndexOf('/')))}` : ''
  return `${baseUrl}/api/models/${inPath(repository)}/tree/${encodeURIComponent(revision)}${folder}`
}

export type Listed = { sha256: string; bytes: number }

/** A listing of a thousand files has 300 kB. */
const MAX_LISTING_BYTES = 4_000_000
const DEADLINE_MS = 30_000

const ListingSchema = Type.Array(
  Type.Object({
    path: Type.String(),
    lfs: Type.Optional(
      Type.Object({
        oid: Type.String({ pattern: '^(sha256:)?[0-9a-f]{64}$' }),
        size: Type.Integer({ minimum: 1 }),
      }),
    ),
  }),
)

/**
 * @returns null if the hub does not list the file, or lists no SHA-256
 * @throws the signal's reason when it aborts
 */
export async function listedFile(
  baseUrl: string,
  file: HubFile,
  signal: AbortSignal,
): Promise<Listed | null> {
  const deadline = AbortSignal.timeout(DEADLINE_MS)
  try {
    const url = listingUrl(baseUrl, file)
    const answer = await requestHub({ url, signal: AbortSignal.any([signal, deadline]), stayAtHub: true })
    if (!answer.ok) return null
    const listing: unknown = JSON.parse(await readText(answer.value.response))
    if (!Value.Check(ListingSchema, listing)) return null
    const found = listing.find(({ path }) => path === file.path)?.lfs
    return found ? { sha256: found.oid.replace('sha256:', ''), bytes: found.size } : null
  } catch {
    signal.throwIfAborted()
    return null
  }
}

async function readText({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of body ?? []) {
    bytes += chunk.length
    if (bytes > MAX_LISTING_BYTES) throw new Error('the listing is too long')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
