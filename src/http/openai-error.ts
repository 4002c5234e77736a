// Failures in the shape that OpenAI's clients read, for every address under /v1.
// The problems themselves are problem.ts's; only how they are told differs.

import { Type } from '@sinclair/typebox'
import { PROBLEM_MEDIA_TYPE, type ProblemBody } from './problem.ts'
import { nullable, strictObject } from './schema.ts'

export const OpenAiErrorSchema = strictObject(
  {
    error: strictObject({
      message: Type.String({ description: 'one sentence that a person can act on' }),
      type: Type.String({ description: '`invalid_request_error`, `server_error` or the like' }),
      param: nullable(Type.String(), { description: 'the first field that is wrong' }),
      code: nullable(Type.String(), { description: 'a stable word, the same as everywhere in this API' }),
    }),
  },
  { $id: 'OpenAiError' },
)

export const isOpenAiPath = (path: string): boolean => path === '/v1' || path.startsWith('/v1/')

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

/** A problem under /v1 in OpenAI's shape, with its status and headers; every other answer as it is. */
export async function inOpenAiShape(path: string, response: Response): Promise<Response> {
  const isProblem = response.headers.get('content-type')?.startsWith(PROBLEM_MEDIA_TYPE) === true
  if (!isProblem || !isOpenAiPath(path)) return response
  const headers = new Headers(response.headers)
  headers.set('content-type', 'application/json')
  headers.delete('content-length')
  // The answer to HEAD says what GET would, without a body.
  const text = await response.text()
  if (text === '') return new Response(null, { status: response.status, headers })
  const problem = JSON.parse(text) as ProblemBody
  // OpenAI's clients ask again at every 5xx, unless they are told that it is of no use.
  if (problem.code === 'model_not_installed') headers.set('x-should-retry', 'false')
  const body = openAiErrorBody(problem)
  return new Response(JSON.stringify(body), { status: response.status, headers })
}
