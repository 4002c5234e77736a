// RFC 9457 problem details, the body of every error response: the table of problem codes, and failures as problems.

import { type Static, Type } from '@sinclair/typebox'
import { asSentence } from '../../lib/did-you-mean.ts'
import { strictObject } from './schema.ts'

/** Clients may rely on `code`; several codes share a status. */
export const PROBLEMS = {
  malformed_json: { status: 400, title: 'The body is not JSON' },
  malformed_multipart: { status: 400, title: 'The body is not a readable form' },
  body_interrupted: { status: 400, title: 'The body is incomplete' },
  empty_file: { status: 400, title: 'The file is empty' },
  mcp_message_refused: { status: 400, title: 'The MCP message cannot be accepted' },
  unauthorized: { status: 401, title: 'A token is needed' },
  peer_not_local: { status: 403, title: 'Only this computer may connect' },
  peer_of_another_user: { status: 403, title: 'Another user of this computer may not use the server' },
  host_not_allowed: { status: 403, title: 'Wrong host name' },
  origin_not_allowed: { status: 403, title: 'This web page may not use the server' },
  cross_site: { status: 403, title: 'Another web site may not use the server' },
  no_such_route: { status: 404, title: 'There is nothing at this address' },
  capture_not_found: { status: 404, title: 'There is no such capture' },
  job_not_found: { status: 404, title: 'There is no such job' },
  segment_not_found: { status: 404, title: 'There is no such segment' },
  version_not_found: { status: 404, title: 'There is no such version' },
  batch_not_found: { status: 404, title: 'There is no such batch' },
  dictionary_entry_not_found: { status: 404, title: 'There is no such dictionary entry' },
  writing_style_not_found: { status: 404, title: 'There is no such writing style' },
  command_not_found: { status: 404, title: 'There is no such command' },
  model_not_found: { status: 404, title: 'There is no such model on this computer' },
  mcp_session_not_found: { status: 404, title: 'There is no such MCP session' },
  method_not_allowed: { status: 405, title: 'This address does not allow that method' },
  nothing_received: { status: 408, title: 'Nothing was received for too long' },
  reader_too_slow: { status: 408, title: 'The client is reading too slowly' },
  capture_busy: { status: 409, title: 'The capture is being processed' },
  capture_not_busy: { status: 409, title: 'The capture is not being processed' },
  job_finished: { status: 409, title: 'The job has already ended' },
  capture_has_no_text: { status: 409, title: 'The capture has no text' },
  batch_finished: { status: 409, title: 'The batch has already ended' },
  capture_in_trash: { status: 409, title: 'The capture is in the trash' },
  dictionary_entry_exists: { status: 409, title: 'The dictionary already has this word' },
  writing_style_exists: { status: 409, title: 'A writing style with this name already exists' },
  style_is_built_in: { status: 409, title: 'A built-in writing style cannot be deleted' },
  style_is_custom: { status: 409, title: 'Only a built-in writing style can be reset' },
  style_is_default: { status: 409, title: 'The default writing style cannot be deleted or disabled' },
  command_exists: { status: 409, title: 'A command with this name already exists' },
  model_in_use: { status: 409, title: 'The model is in use' },
  model_exists: { status: 409, title: 'A model with this name already exists' },
  model_folder_busy: { status: 409, title: 'Another program is adding a model' },
  model_is_bundled: { status: 409, title: 'A bundled model cannot be deleted' },
  stream_ended: { status: 409, title: 'The stream has already ended' },
  audio_gone: { status: 410, title: 'The audio is no longer stored' },
  precondition_failed: { status: 412, title: 'The resource has changed in the meantime' },
  file_too_large: { status: 413, title: 'The file is too large' },
  audio_too_long: { status: 413, title: 'The recording is too long' },
  body_too_large: { status: 413, title: 'The body is too large' },
  unsupported_media_type: { status: 415, title: 'This address does not accept that kind of body' },
  unsupported_audio: { status: 415, title: 'The audio format is not supported' },
  range_not_satisfiable: { status: 416, title: 'The range is outside the file' },
  invalid_request: { status: 422, title: 'The request is not valid' },
  undecodable_audio: { status: 422, title: 'The audio cannot be decoded' },
  unknown_model: { status: 422, title: 'There is no such model' },
  model_too_large: { status: 422, title: 'The model is too large for the engine' },
  invalid_model: { status: 422, title: 'This is not a usable model file' },
  unsupported_language: { status: 422, title: 'The model does not support this language' },
  unsupported_task: { status: 422, title: 'The model cannot translate' },
  upgrade_required: { status: 426, title: 'This address requires a WebSocket' },
  too_far_behind: { status: 429, title: 'Too much audio is waiting to be transcribed' },
  queue_full: { status: 429, title: 'Too much work is waiting already' },
  internal_error: { status: 500, title: 'Something went wrong inside the server' },
  model_not_installed: { status: 503, title: 'The model is not installed' },
  model_unreadable: { status: 503, title: 'The model file cannot be used' },
  folder_not_writable: { status: 503, title: 'The models folder cannot be written to' },
  engine_unavailable: { status: 503, title: 'The speech engine does not answer' },
  database_unavailable: { status: 503, title: 'The database does not answer' },
  database_damaged: { status: 503, title: 'The database is being rebuilt' },
  shutting_down: { status: 503, title: 'The server is stopping' },
  storage_unavailable: { status: 503, title: 'The files cannot be read or written' },
  no_handles_left: { status: 503, title: 'Too many files and connections are open' },
  disk_full: { status: 507, title: 'The disk is full' },
} as const satisfies Record<string, { status: number; title: string }>

export type ProblemCode = keyof typeof PROBLEMS

/** One error in a request: where it is, as a JSON Pointer, and what to change. */
const FaultSchema = strictObject(
  {
    in: Type.Union(
      (['body', 'query', 'path', 'form', 'header'] as const).map((place) => Type.Literal(place)),
      { description: 'the part of the request' },
    ),
    path: Type.String({ description: 'JSON Pointer to the value; empty for the whole' }),
    message: Type.String({ description: 'what is wrong with it, after its name: "must be at least 1"' }),
  },
  { $id: 'Fault' },
)
export type Fault = { in: 'body' | 'query' | 'path' | 'form' | 'header'; path: string; message: string }

export const ProblemSchema = strictObject(
  {
    type: Type.String({ description: 'a reference that names the kind of problem' }),
    title: Type.String({ description: 'the kind of problem in words, the same for every occurrence' }),
    status: Type.Integer({ minimum: 400, maximum: 599 }),
    code: Type.String({ description: 'a stable word to program against', pattern: '^[a-z_]+$' }),
    detail: Type.String({ description: 'one sentence about this occurrence that a person can act on' }),
    errors: Type.Optional(Type.Array(FaultSchema, { description: 'every error of an invalid request' })),
    accepted: Type.Optional(
      Type.Array(Type.String(), { description: 'what the server would accept instead' }),
    ),
    conflict_id: Type.Optional(Type.String({ description: 'the id of the conflicting item' })),
    capture_id: Type.Optional(
      Type.String({ description: 'the capture with the part of a stopped recording that had arrived' }),
    ),
    error_id: Type.Optional(Type.String({ description: 'identifies this occurrence in the server log' })),
  },
  { $id: 'Problem', description: 'Problem details (RFC 9457). Every error body has this shape.' },
)
export type ProblemBody = Static<typeof ProblemSchema>

/** A failure as a value, before it becomes a response. */
export type Problem = {
  code: ProblemCode
  detail: string
  errors?: Fault[]
  accepted?: readonly string[]
  conflictId?: string
  captureId?: string
  errorId?: string
  headers?: Record<string, string>
}

export const PROBLEM_MEDIA_TYPE = 'application/problem+json'

const isProblemCode = (code: string): code is ProblemCode => Object.hasOwn(PROBLEMS, code)

/** The body of an error response. Optional members are omitted when they are not set. */
export function problemBody(problem: Problem): ProblemBody {
  const { status, title } = PROBLEMS[problem.code]
  return {
    type: `/problems/${problem.code}`,
    title,
    status,
    code: problem.code,
    detail: problem.detail,
    ...(problem.errors && { errors: problem.errors }),
    ...(problem.accepted && { accepted: [...problem.accepted] }),
    ...(problem.conflictId !== undefined && { conflict_id: problem.conflictId }),
    ...(problem.captureId !== undefined && { capture_id: problem.captureId }),
    ...(problem.errorId !== undefined && { error_id: problem.errorId }),
  }
}

/** The response for a problem. Never cached, because a retry may succeed. */
export function problemResponse(problem: Problem): Response {
  const body = problemBody(problem)
  return new Response(JSON.stringify(body), {
    status: body.status,
    headers: { 'content-type': PROBLEM_MEDIA_TYPE, 'cache-control': 'no-store', ...problem.headers },
  })
}

/** Invalid input: all errors, and a sentence for clients that only show `detail`. */
export function invalidRequest(errors: Fault[]): Problem {
  const sentences = errors.slice(0, 5).map((fault) => `${nameOf(fault)} ${fault.message}`)
  const more = errors.length > 5 ? `; and ${errors.length - 5} more` : ''
  const detail = `${sentences.join('; ')}${more}`
  return { code: 'invalid_request', detail: asSentence(detail), errors }
}

function nameOf(fault: Fault): string {
  if (fault.path === '') return `the ${fault.in}`
  return fault.path.slice(1).replaceAll('/', '.').replaceAll('~1', '/').replaceAll('~0', '~')
}

export type Failure = { code: string; message: string; conflictingId?: string }

/** Internal codes that the client cannot act on, mapped to what they mean for the client. Other codes are the same. */
const MEANINGS: Record<string, ProblemCode> = {
  decoder_missing: 'undecodable_audio',
  decode_timeout: 'undecodable_audio',
  decoder_crashed: 'undecodable_audio',
  speech_detector_failed: 'engine_unavailable',
  engine_crashed: 'engine_unavailable',
  engine_timeout: 'engine_unavailable',
  engine_closed: 'shutting_down',
  aborted: 'shutting_down',
}

/** Replaces the message of aborted work, which is no advice for the client that waited for it. */
const STOPPING = 'The server is stopping; send this again when it runs.'

/** Seconds after which a retry may succeed. */
const RETRY_AFTER: Partial<Record<ProblemCode, string>> = {
  queue_full: '10',
  engine_unavailable: '5',
  shutting_down: '10',
}

/** Throws for a code without a mapping: that is a bug, and ends as a 500. */
export function problemOf(failure: Failure): Problem {
  const code = isProblemCode(failure.code) ? failure.code : MEANINGS[failure.code]
  if (code === undefined) throw new Error(`no problem code for the failure ${failure.code}`)
  const retryAfter = RETRY_AFTER[code]
  return {
    code,
    detail: code === 'shutting_down' ? STOPPING : failure.message,
    ...(failure.conflictingId !== undefined && { conflictId: failure.conflictingId }),
    ...(retryAfter !== undefined && { headers: { 'retry-after': retryAfter } }),
  }
}

/** For requests that are rejected before any work has failed. */
export const SHUTTING_DOWN: Problem = problemOf({ code: 'shutting_down', message: STOPPING })

export const failureResponse = (failure: Failure): Response => problemResponse(problemOf(failure))
