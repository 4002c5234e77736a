// Receives a recording: streams it to a file, counts, hashes, recognises and syncs it.

import { createHash } from 'node:crypto'
import { type FileHandle, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { isDiskFull } from '../lib/disk-space.ts'
import { syncFile, UNFINISHED_SUFFIX, writeAll } from '../lib/durable.ts'
import { fail, type Result, succeed } from '../lib/result.ts'
import { newId } from '../lib/uuid.ts'
import type { AudioKind, IncomingAudio } from './audio-file.ts'
import { type PeriodicSync, syncPeriodically } from './periodic-sync.ts'
import { createSniffer } from './sniff.ts'
import { describeUnreadable } from './unreadable-formats.ts'

export type ReceiveFailure = {
  code: 'empty_file' | 'unsupported_audio' | 'file_too_large' | 'body_interrupted' | 'disk_full'
  message: string
}

export type ReceiveRequest = {
  /** must exist; the file is named `<folder>/<id>.part` */
  folder: string
  id?: string
  body: AsyncIterable<Uint8Array>
  maxBytes: number
  signal?: AbortSignal
  /**
   * For a recording that is sent while it is made: if it is cut off, or no data arrives for `idleMs`, the received part
   * is stored. The file is named `<id>.audio` from the start, so that a crash does not lose it either.
   */
  live?: LiveTerms
  /** For a finished recording: the upload is aborted if its average rate falls below this. */
  pace?: SlowestPace
}

export type LiveTerms = {
  idleMs: number
  /**
   * The client has no copy, so no failure removes what arrived, and the file is synced while it grows. Otherwise the
   * client can send the recording again.
   */
  isOnlyCopy: boolean
}

export type SlowestPace = { graceMs: number; bytesPerSecond: number }

/** Slower than any audio format. */
const MIN_PACE: SlowestPace = { graceMs: 60_000, bytesPerSecond: 500 }

/** Why the server stopped an only copy: a failure, or a file system error. */
export type Cut = ReceiveFailure | { thrown: unknown }

export type ReceivedAudio = IncomingAudio & {
  /** the end of the recording is missing */
  interrupted: boolean
  /** set if the server itself stopped the recording */
  cut?: Cut
}

/** Suffix of recordings that are sent while they are made. */
export const INBOX_SUFFIX = '.audio'

const BODY_INTERRUPTED: ReceiveFailure = {
  code: 'body_interrupted',
  message: 'The connection ended before the whole recording had arrived. Send it again.',
}
const TOO_SLOW: ReceiveFailure = {
  code: 'body_interrupted',
  message: 'The recording arrived too slowly, so the server stopped receiving it. Send it again.',
}
const EMPTY: ReceiveFailure = { code: 'empty_file', message: 'The file is empty. Send a recording.' }
const DISK_FULL: ReceiveFailure = {
  code: 'disk_full',
  message: 'The disk is full. Free some space and send the recording again.',
}

/** Files that this process is writing, each with a promise that resolves when it has finished. */
const inProgress = new Map<string, Promise<void>>()

/** Resolves when this process has finished writing the file; null if it is not writing it. */
export const receptionOf = (path: string): Promise<void> | null => inProgress.get(path) ?? null

/** Makes the received part of every recording in progress durable. */
export async function syncReceptions(): Promise<void> {
  // A file may just have been moved or removed; then its new owner syncs it.
  await Promise.allSettled([...inProgress.keys()].map(syncFile))
}

/**
 * Streams a body to disk with constant memory and syncs it. Afterwards the file is complete or does not exist; of an
 * only copy, the part that could be written exists. The caller makes the file's name durable by moving it (see
 * lib/durable); the name of an only copy is durable already.
 * @throws file system errors, except a full disk
 */
export async function receiveAudio(request: ReceiveRequest): Promise<Result<ReceivedAudio, ReceiveFailure>> {
  const suffix = request.live ? INBOX_SUFFIX : UNFINISHED_SUFFIX
  const path = join(request.folder, `${request.id ?? newId(new Date())}${suffix}`)
  const { promise: received, resolve: end } = Promise.withResolvers<void>()
  inProgress.set(path, received)
  try {
    return await receiveInto(path, request)
  } finally {
    inProgress.delete(path)
    end()
  }
}

async function receiveInto(
  path: string,
  request: ReceiveRequest,
): Promise<Result<ReceivedAudio, ReceiveFailure>> {
  let file: FileHandle
  try {
    // `wx` fails if the file exists: that file belongs to another recording.
    file = await open(path, 'wx', 0o600)
  } catch (error) {
    return refusal({ thrown: error })
  }
  const copy = createCopy(file)
  let isKept = false
  try {
    const ending = await fill(file, copy, request)
    const received = outcome(ending, { path, copy, live: request.live })
    isKept = received.ok
    return received
  } finally {
    if (!isKept) await rm(path, { force: true }).catch(() => {})
  }
}

type Ending = 'whole' | 'interrupted' | Cut

/** Copies the body and closes the file. Turns errors of writing, syncing or closing into an ending. */
async function fill(file: FileHandle, copy: Copy, request: ReceiveRequest): Promise<Ending> {
  const isOnlyCopy = request.live?.isOnlyCopy === true
  const syncing = isOnlyCopy ? syncPeriodically(file, request.folder) : null
  let ending = 'whole' as Ending
  const attempt = async (work: () => Promise<void> | undefined) => {
    try {
      await work()
    } catch (thrown) {
      if (typeof ending === 'string') ending = { thrown }
    }
  }
  await attempt(async () => {
    await syncing?.named
    ending = await copyBody(request, copy, syncing)
  })
  await attempt(() => syncing?.stop())
  if (isOnlyCopy || typeof ending === 'string') await attempt(() => file.sync())
  await attempt(() => file.close())
  return ending
}

type Described = { path: string; copy: Copy; live: LiveTerms | undefined }

function outcome(ending: Ending, { path, copy, live }: Described): Result<ReceivedAudio, ReceiveFailure> {
  const kind = copy.kind()
  const received = (interrupted: boolean, cut?: Cut) =>
    kind === null
      ? fail(copy.unsupported())
      : succeed({ path, bytes: copy.bytes(), sha256: copy.sha256(), kind, interrupted, ...(cut && { cut }) })
  if (ending === 'whole') return copy.bytes() === 0 ? fail(EMPTY) : received(false)
  if (ending === 'interrupted') return live && kind !== null ? received(true) : fail(BODY_INTERRUPTED)
  return live?.isOnlyCopy && kind !== null ? received(true, ending) : refusal(ending)
}

function refusal(cut: Cut): Result<never, ReceiveFailure> {
  if (!('thrown' in cut)) return fail(cut)
  if (isDiskFull(cut.thrown)) return fail(DISK_FULL)
  throw cut.thrown
}

/** Throws only write errors; an error of the body is an interruption. */
async function copyBody(
  { body, maxBytes, signal, live, pace = MIN_PACE }: ReceiveRequest,
  copy: Copy,
  syncing: PeriodicSync | null,
): Promise<Ending> {
  const chunks = body[Symbol.asyncIterator]()
  const beganAt = performance.now()
  try {
    for (;;) {
      const next = await nextChunk(chunks, { signal, idleMs: live?.idleMs })
      if (next === 'interrupted') return next
      if (next === 'end') return 'whole'
      const room = maxBytes - copy.bytes()
      await copy.write(next.subarray(0, room))
      syncing?.wrote()
      if (next.byteLength > room) return tooLarge(maxBytes)
      if (!live && isTooSlow(copy.bytes(), performance.now() - beganAt, pace)) return TOO_SLOW
      if (copy.isUnreadable()) return copy.unsupported()
    }
  } finally {
    // Stops the source. Not awaited, because a source that hangs would delay the response.
    chunks.return?.().catch(() => {})
  }
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

type Copy = ReturnType<typeof createCopy>

/** Writes a stream to a file and describes what the file contains. */
function createCopy(file: FileHandle) {
  const hash = createHash('sha256')
  const sniffer = createSniffer()
  let bytes = 0
  /** undefined until enough bytes are known */
  let kind: AudioKind | null | undefined
  const sniffed = () => sniffer.recognised()?.kind ?? null
  return {
    write: (chunk: Uint8Array): Promise<void> =>
      writeAll(file, chunk, (bite) => {
        if (sniffer.add(bite)) kind = sniffed()
        hash.update(bite)
        bytes += bite.byteLength
      }),
    bytes: () => bytes,
    sha256: () => hash.digest('hex'),
    kind: () => (kind === undefined ? sniffed() : kind),
    isUnreadable: () => kind === null,
    unsupported: (): ReceiveFailure => ({
      code: 'unsupported_audio',
      message: describeUnreadable(sniffer.head()),
    }),
  }
}

function tooLarge(maxBytes: number): ReceiveFailure {
  const limitMb = Math.max(1, Math.floor(maxBytes / 1024 ** 2))
  return {
    code: 'file_too_large',
    message: `The recording is larger than the limit of ${limitMb} MB. Send a shorter or compressed recording.`,
  }
}
