// POST /captures: takes a recording in, keeps it, and waits for its text if the client wants to.
// Keeping it safe is captures/create-capture.ts; the text comes from a job.

import { rm } from 'node:fs/promises'
import { type Static, Type } from '@sinclair/typebox'
import { CAPTURE_SOURCES } from '../captures/capture.ts'
import type { Captures } from '../captures/captures.ts'
import type { CaptureFields } from '../captures/create-capture.ts'
import { isOver, type Jobs } from '../jobs/jobs.ts'
import type { Log } from '../lib/log.ts'
import { captureExample, NewCaptureSchema, wireCapture } from './capture-schema.ts'
import { captureNotFound } from './captures.ts'
import { failureResponse } from './failure.ts'
import { formFields } from './form.ts'
import { languageField, languageOf } from './language.ts'
import { checkModelFields, type ModelStore, modelField } from './model-fields.ts'
import { type Fault, invalidRequest, type Problem, problemResponse } from './problem.ts'
import { receiveRecording } from './receive-recording.ts'
import { defineRoute, type Route } from './route.ts'
import { flag, oneOf, strictObject, text, uuid } from './schema.ts'
import { prefersAsync, timeoutMsOf, waitQuery } from './wait.ts'

export type CaptureCreateDeps = {
  captures: Captures
  jobs: Jobs
  models: ModelStore
  /** recordings lie in `incoming` until they are kept */
  folders: { incoming: string }
  config: { maxUploadBytes: number }
  log: Log
  /** ends the waiting when the server stops: the text comes after its next start */
  shutdown: AbortSignal
}

const maybe = (maxLength: number, description: string) => Type.Optional(text({ maxLength, description }))

const CaptureFormSchema = strictObject({
  source: Type.Optional(oneOf(CAPTURE_SOURCES, { default: 'file' })),
  language: Type.Optional(languageField),
  stt_model: Type.Optional(modelField),
  title: maybe(500, "by default the file's name"),
  app_name: maybe(500, 'the application it is spoken into'),
  app_id: maybe(500, 'its identifier'),
  app_url: maybe(4000, 'the address of the page'),
  window_title: maybe(1000, 'the title of the window'),
  writing_style_id: Type.Optional(uuid({ description: 'there are no writing styles yet' })),
  refine: Type.Optional(
    flag({ description: 'there is no refinement yet; false is the only choice', default: false }),
  ),
})
const captureFields = formFields(CaptureFormSchema)
type CaptureForm = Partial<Static<typeof CaptureFormSchema>>

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
        fields: CaptureFormSchema,
        file: { description: 'the recording, in any format' },
      },
      responses: {
        201: {
          description: 'Kept, and transcribed or failed',
          headers: { Location: 'of the capture' },
          content: body,
        },
        202: {
          description: 'Kept; the text comes later',
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
      if (!room.ok) return failureResponse(room.failure)
      deps.log.debug({ phase: 'receiving' }, 'receiving')
      const form = await receiveRecording({
        request,
        connection,
        fields: captureFields,
        folder: deps.folders.incoming,
        maxBytes: deps.config.maxUploadBytes,
        check: (fields) => checkForm(deps.models, fields),
      })
      if (!form.ok) return problemResponse(form.failure)
      deps.log.debug({ phase: 'synced' }, 'synced')
      const { stored: incoming, fileName } = form.value
      const created = await deps.captures.create({ incoming, fields: fieldsOf(form.value.fields, fileName) })
      if (!created.ok) {
        await rm(incoming.path, { force: true })
        return failureResponse(created.failure)
      }
      const { capture, jobId } = created.value
      const timeoutMs = timeoutMsOf(request, query.wait)
      const signal = AbortSignal.any([request.signal, deps.shutdown])
      const job = await deps.jobs.wait(jobId, { timeoutMs, signal })
      return answer(deps.captures, { id: capture.id, done: job === null || isOver(job), request })
    },
  )

async function checkForm(models: ModelStore, form: CaptureForm): Promise<Problem | null> {
  const faults = [
    form.writing_style_id !== undefined && formFault('/writing_style_id', 'names no writing style'),
    form.refine === true && formFault('/refine', 'must be false: this server does not refine yet'),
  ].filter((fault) => fault !== false)
  if (faults.length > 0) return invalidRequest(faults)
  return checkModelFields(models, {
    model: form.stt_model ?? null,
    language: languageOf(form.language),
    task: 'transcribe',
  })
}

const formFault = (path: string, message: string): Fault => ({ in: 'form', path, message })

const orNull = (value: string | undefined): string | null =>
  value === undefined || value === '' ? null : value

const fieldsOf = (form: CaptureForm, fileName: string | null): CaptureFields => ({
  source: form.source ?? 'file',
  language: languageOf(form.language),
  sttModel: form.stt_model ?? null,
  fileName: orNull(fileName ?? undefined),
  title: orNull(form.title),
  appName: orNull(form.app_name),
  appId: orNull(form.app_id),
  appUrl: orNull(form.app_url),
  windowTitle: orNull(form.window_title),
  writingStyleId: null,
})

async function answer(
  captures: Captures,
  { id, done, request }: { id: string; done: boolean; request: Request },
): Promise<Response> {
  const capture = await captures.get(id)
  if (capture === null) return problemResponse(captureNotFound(id))
  return Response.json(
    { ...wireCapture(capture), auto_refine: false, allow_auto_paste: true },
    {
      status: done ? 201 : 202,
      headers: {
        location: `/captures/${id}`,
        ...(prefersAsync(request) && !done && { 'preference-applied': 'respond-async' }),
      },
    },
  )
}
