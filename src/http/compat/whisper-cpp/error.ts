// Failures in the shape that clients of whisper.cpp's server read, and our own word for them besides.
// The problems themselves are contract/problem.ts's; at which address they are told so is compat/error-shape.ts.

import { Type } from '@sinclair/typebox'
import type { ProblemBody } from '../../contract/problem.ts'
import { strictObject } from '../../contract/schema.ts'

export const WhisperCppErrorSchema = strictObject(
  {
    error: Type.String({ description: 'one sentence that a person can act on' }),
    code: Type.String({ description: 'a stable word, the same as everywhere in this API' }),
  },
  { $id: 'WhisperCppError' },
)

export const whisperCppErrorBody = ({ detail, code }: ProblemBody) => ({ error: detail, code })
