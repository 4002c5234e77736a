// The response of an operation that only confirms success: one sentence.

import { Type } from '@sinclair/typebox'
import type { Representation } from './route.ts'
import { strictObject } from './schema.ts'

const MessageSchema = strictObject({ message: Type.String() }, { $id: 'Message' })

export const messageContent = (example: string): Record<string, Representation> => ({
  'application/json': { schema: MessageSchema, example: { message: example } },
})
