// POST /captures: takes a recording in, keeps it, and waits for its text if the client wants to.
// Keeping it safe is captures/create-capture.ts; the text comes from a job.

import { rm } from 'node:fs/promises'
import type { Static } from '@sinclair/typebox'
import type { IncomingAudio } from '../audio/audio-file.ts'
import type { Capture } from '../captures/capture.ts'
import type { Captures } from '../captures/captures.ts'
import type { CaptureFields, NewCapture } from '../captures/create-capture.ts'
import type { Jobs } from '../jobs/jobs.ts'
import { DatabaseAwayError } from '../lib/database-away.ts'
import type { Log } from '../lib/log.ts'
import type { Settings } from '../settings/settings.ts'
import {
  type CaptureFieldDeps,
  CaptureFieldsSchema,
  captureFieldsOf,
  checkCaptureFields,
} from './capture-fields.ts'
import { captureExample, NewCaptureSchema, wireCapture } from './capture-schema.ts'
import { captureNotFound } from './captures.ts'
import { type Failure, failureResponse, problemOf } from './failure.ts'
import { formFields } from './form.ts'
import { problemResponse } from './problem.ts'
import { receiveRecording } from './receive-recording.ts'
import { defineRoute, type Route } from './route.ts'
import { prefersAsync, timeoutMsOf, waitQuery } from './wait.ts'

const captureFields = formFields(CaptureFieldsSchema)

export type CaptureCreateDeps = CaptureFieldDeps & {
  captures: Captures
  jobs: Jobs
  /** recordings lie in `incoming` until they are kept */
  folders: { incoming: string }
  config: { maxUploadBytes: number }
  settings: { current(): Settings }
  log: Log
  /** ends the waiting when the server stops: the text comes after its next start */
  shutdown: AbortSignal
}

const body = {
  'application/json': {
    schema: NewCaptureSchema,
    example: { ...captureExample, auto_refine: false, allow_auto_paste: true } satisfies Static<
      typeof NewCaptureSchema
    >,
  },
}

export const createCaptureRoute = (deps: CaptureCreateDeps): Route =>
  defineRoute(
    {
      method: 'POST',
      path: '/captures',
      operationId: 'createCapture',
      summary: 'Keep a recording and transcribe it',
      description:
        'The recording is on disk and synced before anything else happens to it. The answer waits for the transcript unless `wait` or `Prefer: respond-async` says otherwise. A transcription that fails leaves a capture whose status is `failed`, with the audio kept.',
      tag: 'captures',
      query: waitQuery,
      headers: { Prefer: '`respond-async` is the same as `wait=false`' },
      body: {
        kind: 'form',
        fields: CaptureFieldsSchema,
        file: { description: 'the recording, in any format' },
      },
      responses: {
        201: {
          description: 'Kept, and transcribed or failed',
          headers: { Location: 'of the capture' },
          content: body,
        },
        202: {
          description: 'Kept; the text comes later, also when the database is away just now',
          headers: { Location: 'of the capture' },
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
      const room = await deps.captures.checkRoom()
      if (!room.ok) return refuseUnread(room.failure)
      deps.log.debug({ phase: 'receiving' }, 'receiving')
      const form = await receiveRecording({
        request,
        connection,
        fields: captureFields,
        folder: deps.folders.incoming,
        maxBytes: deps.config.maxUploadBytes,
        check: (fields, stage) => checkCaptureFields(deps, fields, stage, 'form'),
      })
      if (!form.ok) return problemResponse(form.failure)
      deps.log.debug({ phase: 'synced' }, 'synced')
      const { stored: incoming, fileName } = form.value
      const created = await keepOrRemove(
        deps.captures,
        incoming,
        captureFieldsOf(form.value.fields, { fileName, settings: deps.settings.current() }),
      )
      if (!created.ok) return failureResponse(created.failure)
      try {
        return await waitAndAnswer(deps, { request, wait: query.wait, created: created.value })
      } catch (error) {
        if (!(error instanceof DatabaseAwayError)) throw error
        // It is kept, and must not be sent again; its text comes when the database is back.
        return answer(request, deps.settings.current(), { capture: created.value.capture, done: false })
      }
    },
  )

/** What is kept has another name by then; what is not is of no use. */
async function keepOrRemove(captures: Captures, incoming: IncomingAudio, fields: CaptureFields) {
  let isKept = false
  try {
    const created = await captures.create({ incoming, fields })
    isKept = created.ok
    return created
  } finally {
    if (!isKept) await rm(incoming.path, { force: true })
  }
}

/** The connection is closed: the recording that follows is not worth reading. */
function refuseUnread(failure: Failure): Response {
  const problem = problemOf(failure)
  return problemResponse({ ...problem, headers: { ...problem.headers, connection: 'close' } })
}

type Created = { request: Request; wait: Static<typeof waitQuery>['wait']; created: NewCapture }

async function waitAndAnswer(
  { captures, jobs, settings, shutdown }: CaptureCreateDeps,
  { request, wait, created: { capture, jobId, queued } }: Created,
): Promise<Response> {
  if (!queued) return answer(request, settings.current(), { capture, done: false })
  const timeoutMs = timeoutMsOf(request, wait)
  const signal = AbortSignal.any([request.signal, shutdown])
  const ending = await jobs.wait(jobId, { timeoutMs, signal })
  const now = ending?.capture ?? (await captures.get(capture.id))
  if (now === null) return problemResponse(captureNotFound(capture.id))
  return answer(request, settings.current(), { capture: now, done: ending !== null })
}

function answer(
  request: Request,
  { autoRefine, allowAutoPaste }: Settings,
  { capture, done }: { capture: Capture; done: boolean },
): Response {
  return Response.json(
    { ...wireCapture(capture), auto_refine: autoRefine, allow_auto_paste: allowAutoPaste },
    {
      status: done ? 201 : 202,
      headers: {
        location: `/captures/${capture.id}`,
        ...(prefersAsync(request) && !done && { 'preference-applied': 'respond-async' }),
      },
    },
  )
}
