// The answer of an operation that has nothing to tell but that it is done: one sentence for a person.
// What the sentence says is the operation's.

import { Type } from '@sinclair/typebox'
import type { Representation } from './route.ts'
import { strictObject } from './schema.ts'

const MessageSchema = strictObject({ message: Type.String() }, { $id: 'Message' })

export const messageContent = (example: string): Record<string, Representation> => ({
  'application/json': { schema: MessageSchema, example: { message: example } },
})
