import { Type } from '@sinclair/typebox'
import type { ProblemBody } from '../../contract/problem.ts'
import { strictObject } from '../../contract/schema.ts'

export const WhisperCppErrorSchema = strictObject(
  {
    error: Type.String({ description: 'message that the user can act on' }),
    code: Type.String({ description: 'stable code, the same as in the rest of this API' }),
  },
  { $id: 'WhisperCppError' },
)

export const whisperCppErrorBody = ({ detail, code }: ProblemBody) => ({ error: detail, code })
