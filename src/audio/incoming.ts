// Takes a recording in: streams it to a file, counts, hashes, recognises and syncs it.
// Does not decode it, and does not decide where it is kept.

import { createHash } from 'node:crypto'
import { type FileHandle, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { isDiskFull } from '../lib/disk-space.ts'
import { UNFINISHED_SUFFIX } from '../lib/durable.ts'
import { fail, type Result, succeed } from '../lib/result.ts'
import { writeAll } from '../lib/write-all.ts'
import type { AudioKind, IncomingAudio } from './audio-file.ts'
import { createSniffer } from './sniff.ts'
import { describeUnreadable } from './unreadable-formats.ts'

export type ReceiveFailure = {
  code: 'empty_file' | 'unsupported_audio' | 'file_too_large' | 'body_interrupted' | 'disk_full'
  message: string
}

export type ReceiveRequest = {
  /** exists already; the file becomes `<folder>/<id>.part` */
  folder: string
  id?: string
  body: AsyncIterable<Uint8Array>
  maxBytes: number
  signal?: AbortSignal
  /**
   * For a recording that is still being made while it is sent: when it breaks off, or nothing more comes for so long,
   * what arrived is kept. Its file is called `<id>.live` meanwhile, so that not even a crash loses it.
   */
  live?: { idleMs: number }
  /** A recording that is there already: whoever sends it more slowly than this, in all, is not waited for. */
  pace?: SlowestPace
}

export type SlowestPace = { graceMs: number; bytesPerSecond: number }

/** Slower than any sound is made. */
const LEAST_PACE: SlowestPace = { graceMs: 60_000, bytesPerSecond: 500 }

/** `interrupted`: the end of the recording did not arrive. */
export type ReceivedAudio = IncomingAudio & { interrupted: boolean }

/** Ends the names of recordings that are being made while they arrive. */
export const LIVE_SUFFIX = '.live'

const BODY_INTERRUPTED: ReceiveFailure = {
  code: 'body_interrupted',
  message: 'The connection ended before the whole recording had arrived. Send it again.',
}
const TOO_SLOW: ReceiveFailure = {
  code: 'body_interrupted',
  message: 'The recording came so slowly that the rest of it was not waited for. Send it again.',
}
const DISK_FULL: ReceiveFailure = {
  code: 'disk_full',
  message: 'The disk is full. Free some space and send the recording again.',
}

/**
 * Streams a body to disk with flat memory and syncs it. Afterwards the file is whole, or it is not there at all.
 * The file's name becomes durable when whoever keeps it moves it (see lib/durable).
 * @throws what the file system throws, but for a full disk
 */
export async function receiveAudio(request: ReceiveRequest): Promise<Result<ReceivedAudio, ReceiveFailure>> {
  const suffix = request.live ? LIVE_SUFFIX : UNFINISHED_SUFFIX
  const path = join(request.folder, `${request.id ?? crypto.randomUUID()}${suffix}`)
  let file: FileHandle | null = null
  let whole = false
  try {
    file = await open(path, 'wx', 0o600)
    const result = await copyBody(request, file, path)
    if (result.ok) await file.sync()
    await file.close()
    whole = result.ok
    return result
  } catch (error) {
    if (isDiskFull(error)) return fail(DISK_FULL)
    throw error
  } finally {
    // A file of this name that was there before is somebody else's.
    if (file !== null && !whole) await discard(file, path)
  }
}

async function discard(file: FileHandle, path: string): Promise<void> {
  await file.close().catch(() => {})
  await rm(path, { force: true }).catch(() => {})
}

/** Throws only what writing throws; what the body throws is an interruption. */
async function copyBody(
  { body, maxBytes, signal, live, pace = LEAST_PACE }: ReceiveRequest,
  file: FileHandle,
  path: string,
): Promise<Result<ReceivedAudio, ReceiveFailure>> {
  const hash = createHash('sha256')
  const sniffer = createSniffer()
  let bytes = 0
  let kind: AudioKind | null = null
  const unsupported = () =>
    fail<ReceiveFailure>({ code: 'unsupported_audio', message: describeUnreadable(sniffer.head()) })
  let interrupted = false
  const chunks = body[Symbol.asyncIterator]()
  const beganAt = performance.now()
  try {
    for (;;) {
      const next = await nextChunk(chunks, { signal, idleMs: live?.idleMs })
      interrupted = next === 'interrupted'
      if (next === 'end' || (next === 'interrupted' && live)) break
      if (next === 'interrupted') return fail(BODY_INTERRUPTED)
      bytes += next.byteLength
      if (bytes > maxBytes) return fail(tooLarge(maxBytes))
      if (!live && isTooSlow(bytes, performance.now() - beganAt, pace)) return fail(TOO_SLOW)
      if (sniffer.add(next)) {
        kind = sniffer.recognised()?.kind ?? null
        if (kind === null) return unsupported()
      }
      hash.update(next)
      await writeAll(file, next)
    }
  } finally {
    // Tells the sender's side to stop; not awaited, since a hanging source would hold the answer back.
    chunks.return?.().catch(() => {})
  }
  kind ??= sniffer.recognised()?.kind ?? null
  if (kind === null && interrupted) return fail(BODY_INTERRUPTED)
  if (bytes === 0) return fail({ code: 'empty_file', message: 'The file is empty. Send a recording.' })
  if (kind === null) return unsupported()
  return succeed({ path, bytes, sha256: hash.digest('hex'), kind, interrupted })
}

const isTooSlow = (bytes: number, ms: number, { graceMs, bytesPerSecond }: SlowestPace): boolean =>
  ms > graceMs && bytes < (ms / 1000) * bytesPerSecond

type Patience = { signal: AbortSignal | undefined; idleMs: number | undefined }

async function nextChunk(
  chunks: AsyncIterator<Uint8Array>,
  { signal, idleMs }: Patience,
): Promise<Uint8Array | 'end' | 'interrupted'> {
  if (signal?.aborted) return 'interrupted'
  const { promise: givenUp, resolve } = Promise.withResolvers<'interrupted'>()
  const giveUp = () => resolve('interrupted')
  const timer = idleMs === undefined ? undefined : setTimeout(giveUp, idleMs)
  signal?.addEventListener('abort', giveUp, { once: true })
  const arrived = chunks.next().then(
    (step) => (step.done ? ('end' as const) : step.value),
    () => 'interrupted' as const,
  )
  try {
    return await Promise.race([arrived, givenUp])
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', giveUp)
  }
}

function tooLarge(maxBytes: number): ReceiveFailure {
  const limitMb = Math.max(1, Math.floor(maxBytes / 1024 ** 2))
  return { code: 'file_too_large', message: `The recording is larger than the limit of ${limitMb} MB.` }
}
