import { rm } from 'node:fs/promises'
import type { Static } from '@sinclair/typebox'
import type { ReceivedAudio } from '../../audio/incoming.ts'
import { type Capture, captureNotFound } from '../../captures/capture.ts'
import type { Arrival } from '../../captures/capture-files.ts'
import type { Captures } from '../../captures/captures.ts'
import type { Intaken, NewCapture } from '../../captures/create-capture.ts'
import type { IntakeFailure } from '../../captures/intake-failures.ts'
import type { CaptureFields } from '../../captures/new-capture.ts'
import { agedWarning } from '../../captures/retention.ts'
import type { Jobs } from '../../jobs/jobs.ts'
import { DatabaseUnavailableError } from '../../lib/database-errors.ts'
import type { Log } from '../../lib/log.ts'
import { once } from '../../lib/once.ts'
import { type Result, succeed } from '../../lib/result.ts'
import type { Warning } from '../../lib/warning.ts'
import type { Settings } from '../../settings/settings.ts'
import { prefersAsync, recordedAtFault, timeoutMsOf } from '../fields/fields.ts'
import { warningExample } from '../fields/segment.ts'
import type { Connection } from '../kernel/connection.ts'
import { formFields, isForm, WHOLE } from '../kernel/form.ts'
import { type Failure, failureResponse, type Problem, problemOf, problemResponse } from '../kernel/problem.ts'
import { defineRoute, jsonContent, type Route } from '../kernel/route.ts'
import {
  type CaptureFieldDeps,
  CaptureFieldsSchema,
  captureFieldsOf,
  checkCaptureFields,
} from '../recording/capture-fields.ts'
import {
  type BodyAhead,
  problemOfCut,
  RECORDING_TYPES,
  readAhead,
  receiveRecording,
  unread,
} from '../recording/receive.ts'
import { captureExample, NewCaptureSchema, wireCapture } from './schema.ts'
import { isUnsized, receiveUpload, type UploadQuery, uploadQuery } from './upload.ts'

const captureFields = formFields(CaptureFieldsSchema)

export type CaptureCreateDeps = CaptureFieldDeps & {
  captures: Captures
  jobs: Jobs
  /** an upload is stored in `inbox` until it becomes a capture */
  folders: { inbox: string }
  config: { maxUploadBytes: number }
  settings: { current(): Settings }
  log: Log
  /** ends the wait when the server stops; the job continues after the next start */
  shutdown: AbortSignal
  /** by default 400 */
  maxArriving?: number
}

const body = jsonContent(NewCaptureSchema, {
  ...captureExample,
  auto_refine: false,
  allow_auto_paste: true,
  warnings: [warningExample],
} satisfies Static<typeof NewCaptureSchema>)

/** Limits simultaneous uploads: each holds a connection and an open file, possibly for a long time. */
const MAX_ARRIVING = 400

const ARRIVING: Failure = {
  code: 'queue_full',
  message: 'Too many uploads are in progress. Try again in a moment.',
}

export function createCaptureRoute(deps: CaptureCreateDeps): Route {
  const { maxArriving = MAX_ARRIVING } = deps
  let arriving = 0
  return defineRoute(
    {
      method: 'POST',
      path: '/captures',
      operationId: 'createCapture',
      summary: 'Store a recording and transcribe it',
      description:
        'The server writes the recording to disk and syncs it before it does anything else. The response waits for the transcript unless `wait` or `Prefer: respond-async` says otherwise. If the transcription fails, the capture has the status `failed` and keeps its audio. A recording that is the whole body may be sent while it is being made. It may pause for up to ten minutes. If the connection breaks, the server stores and transcribes the part that arrived and marks the capture (`upload_interrupted`). Without a `Content-Length` the upload counts as the only copy of the recording, and no failure of the server removes it. If the server has to stop the upload (size limit, full disk), the error states the reason and names the capture that holds the part that arrived (`capture_id`). If the server cannot create that capture yet, it keeps the file and creates the capture later. Fields may be in the query with either kind of body; fields of the form take precedence. The query of a form is checked before the form is read, so an invalid query is rejected before the upload.',
      tag: 'captures',
      query: uploadQuery,
      headers: { Prefer: '`respond-async` is the same as `wait=false`' },
      body: {
        kind: 'form',
        fields: CaptureFieldsSchema,
        file: { description: 'the recording, in any format' },
        raw: {
          mediaTypes: RECORDING_TYPES,
          description:
            'the recording as the whole body, possibly while it is being made; its fields are in the query',
        },
      },
      // The fields of a form may override the query, so they are checked later. A raw recording is read from the first
      // moment, because unread bytes are lost when the connection breaks: unless the request is rejected anyway, the
      // handler checks the query while the recording arrives.
      resolve: async ({ request, query, isRefused }) =>
        isRefused && !isForm(request)
          ? [await checkCaptureFields(deps, query, WHOLE, 'query')]
          : [recordedAtFault(query.recorded_at, 'query')],
      responses: {
        201: {
          description: 'The recording is stored, and its transcription has succeeded or failed',
          headers: { Location: 'URL of the capture' },
          content: body,
        },
        202: {
          description:
            'The recording is stored; the transcript follows later, also if the database is unreachable now',
          headers: { Location: 'URL of the capture' },
          content: body,
        },
      },
      problems: [
        'malformed_multipart',
        'body_interrupted',
        'empty_file',
        'file_too_large',
        'unsupported_audio',
        'unknown_model',
        'unsupported_language',
        'queue_full',
        'model_not_installed',
        'model_unreadable',
        'disk_full',
      ],
    },
    async (request, { query, connection }) => {
      if (arriving >= maxArriving) return problemResponse(unread(problemOf(ARRIVING)))
      arriving += 1
      const releaseSlot = once(() => {
        arriving -= 1
      })
      const ahead = isForm(request) ? null : readAhead(request)
      // Before anything waits for the disk: a client that sends while it records may be silent meanwhile.
      if (ahead !== null) connection.mayPause()
      try {
        return await receiveAndStore(deps, { request, connection, query, ahead, releaseSlot })
      } finally {
        releaseSlot()
        await ahead?.drain()
      }
    },
  )
}

async function receiveAndStore(deps: CaptureCreateDeps, upload: UploadContext): Promise<Response> {
  const room = await deps.captures.checkRoom()
  if (!room.ok) return problemResponse(unread(problemOf(room.failure)))
  deps.log.debug({ phase: 'receiving' }, 'receiving')
  const { request, query, ahead } = upload
  const received = await (ahead === null
    ? receiveInForm(deps, upload)
    : receiveAlone(deps, { ...upload, ahead }))
  upload.releaseSlot()
  if (!received.ok) return problemResponse(received.failure)
  deps.log.debug({ phase: 'synced' }, 'synced')
  const { incoming, isOnlyCopy, fields, arrival, clipboard } = received.value
  const { interrupted, cut } = incoming
  const intaken = { incoming, fields, interrupted, isOnlyCopy, arrival }
  if (interrupted)
    deps.log.warn({ bytes: incoming.bytes }, 'upload interrupted; storing the part that arrived')
  if (query.discarded) {
    const kept = await storeOrRemove(intaken, deps.captures.discard)
    if (!kept.ok) return failureResponse(kept.failure)
    if (cut) return problemResponse(unread(problemOfCut(cut, deps.log, kept.value.id)))
    return answer(request, deps.settings.current(), { capture: kept.value, done: true, warnings: [] })
  }
  const created = await storeOrRemove(intaken, deps.captures.create)
  if (!created.ok) return failureResponse(created.failure)
  if (clipboard !== undefined) deps.jobs.giveClipboard(created.value.jobId, clipboard)
  if (cut) return problemResponse(unread(problemOfCut(cut, deps.log, created.value.capture.id)))
  try {
    return await waitAndAnswer(deps, { request, wait: query.wait, created: created.value })
  } catch (error) {
    if (!(error instanceof DatabaseUnavailableError)) throw error
    // The recording is stored and must not be sent again. It is transcribed when the database is reachable again.
    return answer(request, deps.settings.current(), {
      capture: created.value.capture,
      done: false,
      warnings: [],
    })
  }
}

type UploadContext = {
  request: Request
  connection: Connection
  query: UploadQuery
  /** null for a form */
  ahead: BodyAhead | null
  /** frees this upload's place in `maxArriving` */
  releaseSlot: () => void
}
type Received = {
  incoming: ReceivedAudio
  isOnlyCopy: boolean
  fields: CaptureFields
  arrival: Arrival | undefined
  clipboard: string | undefined
}

async function receiveInForm(
  deps: CaptureCreateDeps,
  { request, connection, query }: UploadContext,
): Promise<Result<Received, Problem>> {
  const form = await receiveRecording({
    request,
    connection,
    fields: captureFields,
    folder: deps.folders.inbox,
    maxBytes: deps.config.maxUploadBytes,
    check: (fields, stage) => checkCaptureFields(deps, { ...query, ...fields }, stage, 'form'),
  })
  if (!form.ok) return form
  const { stored, fileName, fields } = form.value
  const settings = deps.settings.current()
  return succeed({
    incoming: { ...stored, interrupted: false },
    isOnlyCopy: false,
    arrival: undefined,
    fields: captureFieldsOf({ ...query, ...fields }, { fileName, settings }),
    clipboard: fields.clipboard ?? query.clipboard,
  })
}

async function receiveAlone(
  deps: CaptureCreateDeps,
  { request, query, ahead }: UploadContext & { ahead: BodyAhead },
): Promise<Result<Received, Problem>> {
  const problem = await checkCaptureFields(deps, query, WHOLE, 'query')
  if (problem !== null) return { ok: false, failure: unread(problem) }
  const { folders, config, shutdown } = deps
  const naming = { fileName: query.file_name ?? null, settings: deps.settings.current() }
  const fields = captureFieldsOf(query, naming)
  const isDiscarded = query.discarded ?? false
  const arrival = isUnsized(request) ? deps.captures.noteArrival({ fields, isDiscarded }) : undefined
  const received = await receiveUpload({
    request,
    shutdown,
    body: ahead,
    folder: folders.inbox,
    id: arrival?.id,
    maxBytes: config.maxUploadBytes,
  })
  if (!received.ok) {
    await arrival?.forget()
    return received
  }
  const { isOnlyCopy, ...incoming } = received.value
  return succeed({
    incoming,
    isOnlyCopy,
    fields,
    arrival,
    clipboard: query.clipboard,
  })
}

/** A stored file has been renamed by then. An only copy that cannot be stored yet stays in the inbox. */
async function storeOrRemove<T>(
  intaken: Intaken,
  keep: (intaken: Intaken) => Promise<Result<T, IntakeFailure>>,
): Promise<Result<T, IntakeFailure>> {
  const { incoming, isOnlyCopy = false } = intaken
  let isKept = isOnlyCopy
  try {
    const kept = await keep(intaken)
    isKept ||= kept.ok
    return kept
  } finally {
    if (!isKept) await rm(incoming.path, { force: true })
  }
}

type Created = { request: Request; wait: UploadQuery['wait']; created: NewCapture }

async function waitAndAnswer(
  { captures, jobs, settings, shutdown }: CaptureCreateDeps,
  { request, wait, created: { capture, jobId, queued } }: Created,
): Promise<Response> {
  if (!queued) return answer(request, settings.current(), { capture, done: false, warnings: [] })
  const timeoutMs = timeoutMsOf(request, wait)
  const signal = AbortSignal.any([request.signal, shutdown])
  const ending = await jobs.wait(jobId, { timeoutMs, signal })
  const now = ending?.capture ?? (await captures.get(capture.id))
  if (now === null) return failureResponse(captureNotFound(capture.id))
  return answer(request, settings.current(), {
    capture: now,
    done: ending !== null,
    warnings: ending?.warnings ?? [],
  })
}

function answer(
  request: Request,
  settings: Settings,
  { capture, done, warnings }: { capture: Capture; done: boolean; warnings: Warning[] },
): Response {
  const aged = agedWarning(capture, settings)
  return Response.json(
    {
      ...wireCapture(capture),
      auto_refine: settings.autoRefine,
      allow_auto_paste: settings.allowAutoPaste,
      warnings: aged === null ? warnings : [...warnings, aged],
    },
    {
      status: done ? 201 : 202,
      headers: {
        location: `/captures/${capture.id}`,
        ...(prefersAsync(request) && !done && { 'preference-applied': 'respond-async' }),
      },
    },
  )
}
