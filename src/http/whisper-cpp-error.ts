// Failures in the shape that clients of whisper.cpp's server read, and our own word for them besides.
// The problems themselves are problem.ts's; at which address they are told so is error-shape.ts.

import { Type } from '@sinclair/typebox'
import type { ProblemBody } from './problem.ts'
import { strictObject } from './schema.ts'

export const WhisperCppErrorSchema = strictObject(
  {
    error: Type.String({ description: 'one sentence that a person can act on' }),
    code: Type.String({ description: 'a stable word, the same as everywhere in this API' }),
  },
  { $id: 'WhisperCppError' },
)

export const whisperCppErrorBody = ({ detail, code }: ProblemBody) => ({ error: detail, code })
