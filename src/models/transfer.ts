// Downloads one file from the hub to the disk, with retries; a stalled connection is given up.

import type { FileHandle } from 'node:fs/promises'
import { writeAll } from '../lib/durable.ts'
import { fail, type Result, succeed } from '../lib/result.ts'
import { pause } from '../lib/retry.ts'
import { type DownloadFailure, stoppedDownload } from './download-failure.ts'
import {
  fileUrl,
  type HubAnswer,
  type HubFile,
  type HubRefusal,
  type HubRequest,
  listedFile,
  parseWholeNumber,
  requestHub,
} from './hub.ts'
import type { PartFile, PartNote } from './part-file.ts'

export type Watchdog = {
  /** aborts with the given signal, or after the silence */
  signal: AbortSignal
  /** restarts the timer */
  beat(): void
  stop(): void
}

function createWatchdog(silenceMs: number, also: AbortSignal): Watchdog {
  const silence = new AbortController()
  const timer = setTimeout(() => silence.abort(new Error('silence')), silenceMs)
  return {
    signal: AbortSignal.any([also, silence.signal]),
    beat: () => void timer.refresh(),
    stop: () => clearTimeout(timer),
  }
}

export type TransferJob = {
  baseUrl: string
  hub: HubFile
  part: PartFile
  /** of the catalogue; null if unknown */
  pinned: { sha256: string | null; bytes: number | null }
  maxBytes: number
  signal: AbortSignal
  /** null if this many more bytes may be written */
  checkRoom: (bytes: number) => Promise<DownloadFailure | null>
  /** bytes on disk, and of the whole file */
  onProgress: (current: number, total: number | null) => void
}

export type Transferred = { sha256: string; bytes: number }

export type AttemptFailure =
  | { kind: 'failed'; failure: DownloadFailure }
  | { kind: 'again'; message: string; retryAfterMs: number | null }

type Attempt<T> = Result<T, AttemptFailure>

const ROOM_CHECK_BYTES = 64_000_000

const failed = (code: DownloadFailure['code'], message: string): Attempt<never> =>
  fail({ kind: 'failed', failure: { code, message } })
const again = (message: string, retryAfterMs: number | null = null): Attempt<never> =>
  fail({ kind: 'again', message, retryAfterMs })

/** @throws file system errors */
async function attemptTransfer(job: TransferJob, stallMs: number): Promise<Attempt<Transferred>> {
  const note = await job.part.readNote()
  if (note === null) throw new Error('a download has no note')
  const have = await usableBytes(job.part, note)
  if (note.sha256 !== null && note.bytes === have) return succeed({ sha256: note.sha256, bytes: have })
  const watchdog = createWatchdog(stallMs, job.signal)
  try {
    const answer = await requestFile(job, note, have, watchdog.signal)
    if (!answer.ok) return fail(answer.failure)
    try {
      return await take(job, { note, have, answer: answer.value, watchdog })
    } finally {
      await answer.value.response.body?.cancel().catch(() => {})
    }
  } catch (error) {
    if (!watchdog.signal.aborted) throw error
    return again(`${new URL(job.baseUrl).host} stopped sending`)
  } finally {
    watchdog.stop()
  }
}

/** Without a SHA-256 the part cannot be matched to a file. */
async function usableBytes(part: PartFile, { sha256, bytes }: PartNote): Promise<number> {
  const size = await part.size()
  return sha256 === null || (bytes !== null && size > bytes) ? 0 : size
}

async function requestFile(
  { baseUrl, hub }: TransferJob,
  { etag }: PartNote,
  have: number,
  signal: AbortSignal,
): Promise<Attempt<HubAnswer>> {
  // If-Range must not use a weak ETag (RFC 9110, section 13.1.5).
  const condition = etag?.startsWith('"') ? { 'if-range': etag } : {}
  const headers = have > 0 ? { range: `bytes=${have}-`, ...condition } : {}
  const at = (revision: string): HubRequest => ({
    url: fileUrl(baseUrl, { ...hub, revision }),
    headers,
    signal,
  })
  let answer = await requestHub(at(hub.revision))
  // A mirror may lack the commit; the SHA-256 shows whether it is the same file.
  if (!answer.ok && answer.failure.again === 'absent' && hub.revision !== 'main')
    answer = await requestHub(at('main'))
  return answer.ok ? answer : fail(failureOf(answer.failure, hub))
}

const failureOf = (
  { again, message, retryAfterMs }: HubRefusal,
  { repository, path }: HubFile,
): AttemptFailure => {
  if (again === 'later') return { kind: 'again', message, retryAfterMs }
  if (again === 'never')
    return { kind: 'failed', failure: { code: 'hub_unavailable', message: `${message}.` } }
  return { kind: 'failed', failure: { code: 'not_on_hub', message: `${message}: ${path} in ${repository}.` } }
}

type Taking = { note: PartNote; have: number; answer: HubAnswer; watchdog: Watchdog }

async function take(
  job: TransferJob,
  { note, have, answer, watchdog }: Taking,
): Promise<Attempt<Transferred>> {
  const { response } = answer
  const identity = await identify(job, answer, watchdog.signal)
  if (!identity.ok) return identity
  const { sha256, bytes } = identity.value
  const etag = response.headers.get('etag')
  const changed = note.sha256 !== null && note.sha256 !== sha256
  const from = changed ? null : startOf(response, { have, bytes, etag, expectedEtag: note.etag })
  if (from === null) {
    await job.part.writeNote({ ...note, etag: null, sha256, bytes })
    await (await job.part.openAt(0)).close()
    return again('The file on the hub has changed, or the response does not match the request')
  }
  await job.part.writeNote({ ...note, etag, sha256, bytes })
  const noRoom = await job.checkRoom((bytes ?? from) - from)
  if (noRoom) return fail({ kind: 'failed', failure: noRoom })
  const file = await job.part.openAt(from)
  try {
    const received = await receive(job, { file, response, from, limit: bytes ?? job.maxBytes, watchdog })
    if (!received.ok) return received
    const { size, whole } = received.value
    if (bytes === null ? whole : size === bytes) return succeed({ sha256, bytes: size })
    return again(`The connection to ${new URL(job.baseUrl).host} was lost`)
  } finally {
    await file.close()
  }
}

/** The expected file: pinned values, else the hub's. All sources must agree. */
async function identify(
  { baseUrl, hub, pinned, maxBytes }: TransferJob,
  { response, ...linked }: HubAnswer,
  signal: AbortSignal,
): Promise<Attempt<{ sha256: string; bytes: number | null }>> {
  const { host } = new URL(baseUrl)
  if (pinned.sha256 !== null && linked.sha256 !== null && pinned.sha256 !== linked.sha256)
    return failed('wrong_answer', `The file ${hub.path} on ${host} is not the published one.`)
  const listed = (pinned.sha256 ?? linked.sha256) ? null : await listedFile(baseUrl, hub, signal)
  const sha256 = pinned.sha256 ?? linked.sha256 ?? listed?.sha256
  if (sha256 === undefined)
    return failed('wrong_answer', `${host} reports no SHA-256 for ${hub.path}, so it cannot be verified.`)
  const declaredBytes =
    response.status === 200 ? parseWholeNumber(response.headers.get('content-length')) : null
  const expected = pinned.bytes ?? linked.bytes ?? listed?.bytes ?? null
  for (const other of [linked.bytes, declaredBytes]) {
    if (expected !== null && other !== null && other !== expected)
      return failed('wrong_answer', `${hub.path} has ${other} bytes on ${host} instead of ${expected}.`)
  }
  const bytes = expected ?? declaredBytes
  if (bytes !== null && bytes > maxBytes)
    return failed('wrong_answer', `${hub.path} has ${bytes} bytes; the engine's limit is ${maxBytes}.`)
  return succeed({ sha256, bytes })
}

type Start = { have: number; bytes: number | null; etag: string | null; expectedEtag: string | null }

/** Offset in the file of the response's first byte; null if unclear. */
function startOf({ status, headers }: Response, { have, bytes, etag, expectedEtag }: Start): number | null {
  if (status === 200) return 0
  if (status !== 206 || have === 0) return null
  if (etag !== null && expectedEtag !== null && etag !== expectedEtag) return null
  const [, from, to, total] =
    /^bytes (\d{1,15})-(\d{1,15})\/(\d{1,15}|\*)$/.exec(headers.get('content-range') ?? '') ?? []
  const length = parseWholeNumber(headers.get('content-length'))
  const fits =
    Number(from) === have &&
    (bytes === null || total === '*' || Number(total) === bytes) &&
    (bytes === null || Number(to) < bytes) &&
    (length === null || length === Number(to) - Number(from) + 1)
  return fits ? have : null
}

type Receiving = { file: FileHandle; response: Response; from: number; limit: number; watchdog: Watchdog }

/** @returns the bytes on disk, and whether the sender ended the body properly */
async function receive(
  job: TransferJob,
  { file, response, from, limit, watchdog }: Receiving,
): Promise<Attempt<{ size: number; whole: boolean }>> {
  const reader = response.body?.getReader()
  let size = from
  let checkedAt = from
  for (;;) {
    const next = await reader?.read().catch(() => null)
    if (next === null) return succeed({ size, whole: false })
    if (next === undefined || next.done) return succeed({ size, whole: true })
    watchdog.beat()
    if (size + next.value.length > limit) {
      await reader?.cancel().catch(() => {})
      return failed('wrong_file', `${job.hub.path} is longer than the expected ${limit} bytes.`)
    }
    await writeAll(file, next.value)
    size += next.value.length
    job.onProgress(size, limit === job.maxBytes ? null : limit)
    if (size - checkedAt < ROOM_CHECK_BYTES) continue
    checkedAt = size
    const noRoom = await job.checkRoom(0)
    if (noRoom) return fail({ kind: 'failed', failure: noRoom })
  }
}

export type TransferRetryPolicy = {
  /** a connection without data for this long is replaced */
  stallMs: number
  /** delay before a retry; doubles after each try without progress */
  pauseMs: number
  longestPauseMs: number
  /** longest Retry-After that is honoured */
  longestRetryAfterMs: number
  /** consecutive tries without progress */
  maxIdleTries: number
  maxTries: number
}

export const RETRY_POLICY: TransferRetryPolicy = {
  stallMs: 30_000,
  pauseMs: 1000,
  longestPauseMs: 30_000,
  longestRetryAfterMs: 300_000,
  maxIdleTries: 6,
  maxTries: 500,
}

/**
 * Afterwards the part is complete, or `keepsPart` says whether the received bytes are kept.
 * @throws file system errors
 */
export async function transferFile(
  job: TransferJob,
  retryPolicy: TransferRetryPolicy,
): Promise<Result<Transferred, DownloadFailure>> {
  let furthest = await job.part.size()
  let idleTries = 0
  for (let tries = 1; ; tries += 1) {
    const outcome = await attemptTransfer(job, retryPolicy.stallMs)
    if (outcome.ok) return outcome
    if (job.signal.aborted) return fail(stoppedDownload(job.signal))
    if (outcome.failure.kind === 'failed') return fail(outcome.failure.failure)
    const { message, retryAfterMs } = outcome.failure
    // Bytes received earlier do not count: a server that always disconnects early makes no progress.
    const size = await job.part.size()
    idleTries = size > furthest ? 0 : idleTries + 1
    furthest = Math.max(furthest, size)
    if (idleTries >= retryPolicy.maxIdleTries || tries >= retryPolicy.maxTries)
      return fail(unavailable(message))
    if (retryAfterMs !== null && retryAfterMs > retryPolicy.longestRetryAfterMs)
      return fail(unavailable(`${message} and asks to retry in ${Math.ceil(retryAfterMs / 60_000)} minutes`))
    const pauseMs = Math.min(retryPolicy.pauseMs * 2 ** idleTries, retryPolicy.longestPauseMs)
    await pause(Math.max(pauseMs, retryAfterMs ?? 0), job.signal)
    if (job.signal.aborted) return fail(stoppedDownload(job.signal))
  }
}

const unavailable = (message: string): DownloadFailure => ({
  code: 'hub_unavailable',
  message: `${message}. The part that arrived is kept; start the download again to resume.`,
})
