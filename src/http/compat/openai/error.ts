import { Type } from '@sinclair/typebox'
import { nullable } from '../../../lib/schema.ts'
import type { ProblemBody } from '../../contract/problem.ts'
import { strictObject } from '../../contract/schema.ts'

export const OpenAiErrorSchema = strictObject(
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
