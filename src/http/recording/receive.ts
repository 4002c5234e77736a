// Receives a recording, in a form or as the whole body: checks the fields, syncs the file to disk and detects its format.
// The caller owns the file, or `withTempAudio` removes it.

import { rm } from 'node:fs/promises'
import type { Static, TObject } from '@sinclair/typebox'
import type { IncomingAudio } from '../../audio/audio-file.ts'
import { ACCEPTED_FORMATS } from '../../audio/formats.ts'
import { type Cut, type ReceivedAudio, type ReceiveRequest, receiveAudio } from '../../audio/incoming.ts'
import type { Log } from '../../lib/log.ts'
import { createNotifier } from '../../lib/notifier.ts'
import { fail, type Result, succeed } from '../../lib/result.ts'
import type { Connection } from '../kernel/connection.ts'
import {
  type Form,
  type FormCheck,
  type FormFields,
  type FormRequest,
  isForm,
  receiveForm,
  WHOLE,
} from '../kernel/form.ts'
import { isWorthDraining, waitOrCancel } from '../kernel/json-body.ts'
import { PROBLEMS, type Problem, problemOf, problemResponse } from '../kernel/problem.ts'
import { internalError } from '../server/router.ts'

export type RecordingRequest<F extends TObject> = {
  request: Request
  connection: Connection
  fields: FormFields<F>
  /** where the file is stored, under a unique name */
  folder: string
  maxBytes: number
  check?: FormCheck<F>
}

/** Failures as in receiveForm, and 400 empty_file, 413 file_too_large, 415 unsupported_audio, 507 disk_full. */
export const receiveRecording = <F extends TObject>({
  folder,
  maxBytes,
  ...form
}: RecordingRequest<F>): Promise<Result<Form<F, IncomingAudio>, Problem>> =>
  receiveForm<F, IncomingAudio>({
    ...(form as Pick<FormRequest<F, IncomingAudio>, 'request' | 'connection' | 'fields' | 'check'>),
    maxFileBytes: maxBytes,
    store: ({ body }) => storeRecording({ folder, body, maxBytes, signal: form.request.signal }),
    discard: ({ path }) => rm(path, { force: true }),
  })

/** receiveAudio, with its failure as a problem. */
async function storeRecording(request: ReceiveRequest): Promise<Result<ReceivedAudio, Problem>> {
  const received = await receiveAudio(request)
  if (received.ok) return received
  const problem = problemOf(received.failure)
  return fail(problem.code === 'unsupported_audio' ? { ...problem, accepted: ACCEPTED_FORMATS } : problem)
}

export type BodyAhead = AsyncIterable<Uint8Array> & {
  /** discards the rest; resolves when the client has sent everything, or when waiting for it is not worthwhile */
  drain(): Promise<void>
}

/** Maximum of bytes that are buffered before they are consumed. */
const AHEAD_BYTES = 1024 * 1024

/** If the connection breaks, the iterator yields the bytes that had arrived, and then throws the error. */
export function readAhead(request: Request): BodyAhead {
  const reader = request.body?.getReader()
  const held: Uint8Array[] = []
  let heldBytes = 0
  let isWanted = true
  let over: { broken: unknown } | 'ended' | null = reader ? null : 'ended'
  const { notify, next: changed } = createNotifier()

  async function pump(): Promise<void> {
    try {
      while (over === null) {
        const { done, value } = await reader!.read()
        if (done) break
        if (!isWanted) continue
        held.push(value)
        heldBytes += value.length
        notify()
        while (heldBytes >= AHEAD_BYTES && over === null) await changed()
      }
      over ??= 'ended'
    } catch (error) {
      over ??= { broken: error }
    }
    notify()
  }
  const pumped = reader ? pump() : Promise.resolve()

  const discard = (): void => {
    isWanted = false
    held.length = heldBytes = 0
    notify()
  }
  const cancel = (): void => {
    over ??= 'ended'
    notify()
    // The client may already have disconnected.
    reader?.cancel().catch(() => {})
  }
  const drain = async (): Promise<void> => {
    discard()
    if (over === null && isWorthDraining(request)) await waitOrCancel(pumped, cancel)
    cancel()
  }
  const next = async (): Promise<IteratorResult<Uint8Array, undefined>> => {
    while (held.length === 0 && over === null) await changed()
    const value = held.shift()
    if (value === undefined) {
      if (over !== null && over !== 'ended') throw over.broken
      return { done: true, value: undefined }
    }
    heldBytes -= value.length
    notify()
    return { done: false, value }
  }
  const end = async () => {
    discard()
    return { done: true as const, value: undefined }
  }
  return { drain, [Symbol.asyncIterator]: () => ({ next, return: end }) }
}

/** The media types that recorders and browsers send; the format is detected from the bytes. */
export const RECORDING_TYPES = ['audio/*', 'video/*', 'application/ogg', 'application/octet-stream'] as const

/** Failures: 400 empty_file and body_interrupted, 413, 415 unsupported_audio, 507. After a failure the rest is not read. */
export async function receiveRaw({
  request,
  ...receiving
}: ReceiveRequest & { request: Request }): Promise<Result<ReceivedAudio, Problem>> {
  const { maxBytes } = receiving
  // The declared size; storeRecording counts a body without one.
  if (Number(request.headers.get('content-length') ?? 0) > maxBytes) return fail(tooLarge(maxBytes))
  const stored = await storeRecording(receiving)
  return stored.ok ? stored : fail(unread(stored.failure))
}

const CLOSE = { connection: 'close' }

/** Closes the connection, because the body has not been read to its end. */
export const unread = (problem: Problem): Problem => ({
  ...problem,
  headers: { ...problem.headers, ...CLOSE },
})

const tooLarge = (maxBytes: number): Problem => ({
  code: 'file_too_large',
  detail: `The recording is larger than the ${Math.floor(maxBytes / 1024 ** 2)} MB this server accepts.`,
  headers: CLOSE,
})

export type EitherRequest<F extends TObject> = Omit<RecordingRequest<F>, 'check'> & {
  check: FormCheck<F>
  /** fields of the query; fields of the form override them */
  query: Partial<Static<F>>
}

/** Receives one recording with its fields, in a form or as the whole body. Failures as in receiveRecording. */
async function receiveEither<F extends TObject>({
  query,
  check,
  ...received
}: EitherRequest<F>): Promise<Result<Form<F, IncomingAudio>, Problem>> {
  const { request, connection, folder, maxBytes } = received
  if (isForm(request)) {
    const form = await receiveRecording({
      ...received,
      check: (fields, stage) => check({ ...query, ...fields }, stage),
    })
    return form.ok ? succeed({ ...form.value, fields: { ...query, ...form.value.fields } }) : form
  }
  const problem = await check(query, WHOLE)
  if (problem) return fail(unread(problem))
  const body = readAhead(request)
  try {
    const stored = await receiveRaw({ request, folder, maxBytes, body, signal: request.signal })
    if (!stored.ok) return stored
    connection.requestIsWhole()
    return succeed({ fields: query as Static<F>, fileName: null, stored: stored.value })
  } finally {
    await body.drain()
  }
}

/** @param captureId if it is already known */
export function problemOfCut(cut: Cut, log: Log, captureId?: string): Problem {
  const { detail: _, ...problem } = 'thrown' in cut ? internalError(cut.thrown, log) : problemOf(cut)
  const { title } = PROBLEMS[problem.code]
  return {
    ...problem,
    detail: `${title}, so the server stopped the recording. The part that had arrived is stored.`,
    ...(captureId !== undefined && { captureId }),
  }
}

export type RecordingDeps = {
  config: { maxUploadBytes: number; maxQueue: number }
  /** recordings are stored in `inbox` while they are processed */
  folders: { inbox: string }
  /** how many temporary recordings are being processed; one count for all routes */
  activeTranscriptions: { count: number }
}

export type TempAudio = {
  /** keeps the recording after the response; the caller must call the returned function to delete it */
  keepAfterResponse(): () => Promise<void>
}

type Received<F extends TObject> = Pick<EitherRequest<F>, 'request' | 'connection' | 'fields' | 'check'> & {
  /** for routes that accept the recording as the whole body */
  query?: Partial<Static<F>>
}

const QUEUE_FULL: Problem = {
  code: 'queue_full',
  detail: 'Too many recordings are being transcribed already; try again in a moment.',
  headers: { 'retry-after': '10', connection: 'close' },
}

/** Deletes the file and frees its place in the queue when `respond` ends, also if it throws. */
export async function withTempAudio<F extends TObject>(
  { config, folders, activeTranscriptions }: RecordingDeps,
  { query = {}, ...received }: Received<F>,
  respond: (form: Form<F, IncomingAudio> & { fields: Static<F> }, audio: TempAudio) => Promise<Response>,
): Promise<Response> {
  if (activeTranscriptions.count >= config.maxQueue) return problemResponse(QUEUE_FULL)
  activeTranscriptions.count++
  let path: string | null = null
  let isKept = false
  const dispose = async () => {
    activeTranscriptions.count--
    if (path !== null) await rm(path, { force: true })
  }
  const keepAfterResponse = () => {
    isKept = true
    return dispose
  }
  try {
    const form = await receiveEither({
      ...received,
      query,
      folder: folders.inbox,
      maxBytes: config.maxUploadBytes,
    })
    if (!form.ok) return problemResponse(form.failure)
    path = form.value.stored.path
    return await respond(form.value, { keepAfterResponse })
  } finally {
    if (!isKept) await dispose()
  }
}
