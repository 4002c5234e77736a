// Selects the paths whose errors use another program's format, and converts responses to it: OpenAI's, whisper.cpp's.

import { type TSchema, Type } from '@sinclair/typebox'
import { nullable } from '../../lib/schema.ts'
import { PROBLEM_MEDIA_TYPE, type ProblemBody } from '../kernel/problem.ts'
import { type JsonObject, strictObject } from '../kernel/schema.ts'

const OpenAiErrorSchema = strictObject(
  {
    error: strictObject({
      message: Type.String({ description: 'message that the user can act on' }),
      type: Type.String({ description: 'such as `invalid_request_error` or `server_error`' }),
      param: nullable(Type.String(), { description: 'the first invalid field' }),
      code: nullable(Type.String(), { description: 'stable code, the same as in the rest of this API' }),
    }),
  },
  { $id: 'OpenAiError' },
)

const typeOf = (status: number): string => {
  if (status === 401) return 'authentication_error'
  if (status === 429) return 'rate_limit_error'
  return status >= 500 ? 'server_error' : 'invalid_request_error'
}

export const openAiErrorBody = ({ status, code, detail, errors }: ProblemBody) => ({
  error: {
    message: detail,
    type: typeOf(status),
    param: errors?.[0]?.path.slice(1) || null,
    code,
  },
})

const WhisperCppErrorSchema = strictObject(
  {
    error: Type.String({ description: 'message that the user can act on' }),
    code: Type.String({ description: 'stable code, the same as in the rest of this API' }),
  },
  { $id: 'WhisperCppError' },
)

const whisperCppErrorBody = ({ detail, code }: ProblemBody) => ({ error: detail, code })

export type ErrorShape = {
  /** distinguishes the formats in the OpenAPI document */
  name: string
  schema: TSchema
  bodyOf(problem: ProblemBody): JsonObject
}

const OPENAI: ErrorShape = { name: 'openai', schema: OpenAiErrorSchema, bodyOf: openAiErrorBody }
const WHISPER_CPP: ErrorShape = {
  name: 'whisper-cpp',
  schema: WhisperCppErrorSchema,
  bodyOf: whisperCppErrorBody,
}

/** Null for paths that return problem details. Azure's paths for OpenAI's models begin with `/openai`. */
export function errorShapeAt(path: string): ErrorShape | null {
  if (path === '/inference') return WHISPER_CPP
  return /^\/(v1|openai)(\/|$)/.test(path) ? OPENAI : null
}

/** Converts a problem to the format of its path and keeps status and headers; returns other responses unchanged. */
export async function inShapeOfAddress(path: string, response: Response): Promise<Response> {
  const isProblem = response.headers.get('content-type')?.startsWith(PROBLEM_MEDIA_TYPE) === true
  const shape = errorShapeAt(path)
  if (!isProblem || shape === null) return response
  const headers = new Headers(response.headers)
  headers.set('content-type', 'application/json')
  headers.delete('content-length')
  // A response to HEAD has no body.
  const text = await response.text()
  if (text === '') return new Response(null, { status: response.status, headers })
  const problem = JSON.parse(text) as ProblemBody
  // OpenAI's clients retry after every 5xx unless this header says not to.
  if (problem.code === 'model_not_installed') headers.set('x-should-retry', 'false')
  return new Response(JSON.stringify(shape.bodyOf(problem)), { status: response.status, headers })
}
