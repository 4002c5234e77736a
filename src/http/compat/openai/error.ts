// Failures in the shape that OpenAI's clients read.
// The problems themselves are contract/problem.ts's; at which addresses they are told so is compat/error-shape.ts.

import { Type } from '@sinclair/typebox'
import { nullable } from '../../../lib/schema.ts'
import type { ProblemBody } from '../../contract/problem.ts'
import { strictObject } from '../../contract/schema.ts'

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
