// At which addresses failures are told as another program's clients read them, and the answers put into that shape.
// The shapes are compat/openai/error.ts and compat/whisper-cpp/error.ts; ours is contract/problem.ts.

import type { TSchema } from '@sinclair/typebox'
import { PROBLEM_MEDIA_TYPE, type ProblemBody } from '../contract/problem.ts'
import type { JsonObject } from '../contract/schema-hoister.ts'
import { OpenAiErrorSchema, openAiErrorBody } from './openai/error.ts'
import { WhisperCppErrorSchema, whisperCppErrorBody } from './whisper-cpp/error.ts'

export type ErrorShape = {
  /** tells the shapes apart in the document */
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

/** Null where failures are problem details. Azure's addresses for OpenAI's models begin with `/openai`. */
export function errorShapeAt(path: string): ErrorShape | null {
  if (path === '/inference') return WHISPER_CPP
  return /^\/(v1|openai)(\/|$)/.test(path) ? OPENAI : null
}

/** A problem in the shape of its address, with its status and headers; every other answer as it is. */
export async function inShapeOfAddress(path: string, response: Response): Promise<Response> {
  const isProblem = response.headers.get('content-type')?.startsWith(PROBLEM_MEDIA_TYPE) === true
  const shape = errorShapeAt(path)
  if (!isProblem || shape === null) return response
  const headers = new Headers(response.headers)
  headers.set('content-type', 'application/json')
  headers.delete('content-length')
  // The answer to HEAD says what GET would, without a body.
  const text = await response.text()
  if (text === '') return new Response(null, { status: response.status, headers })
  const problem = JSON.parse(text) as ProblemBody
  // OpenAI's clients ask again at every 5xx, unless they are told that it is of no use.
  if (problem.code === 'model_not_installed') headers.set('x-should-retry', 'false')
  return new Response(JSON.stringify(shape.bodyOf(problem)), { status: response.status, headers })
}
