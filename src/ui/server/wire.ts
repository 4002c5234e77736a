// The shapes of what the server sends, read off the schemas that it checks and documents them by.
// Types alone: nothing of the server comes into the page.

import type { Static } from '@sinclair/typebox'
import type { CaptureDetailSchema, FoundCaptureSchema } from '../../http/captures/schema.ts'
import type { ProblemBody } from '../../http/contract/problem.ts'

export type { ProblemBody }
export type ListedCapture = Static<typeof FoundCaptureSchema>
export type DetailedCapture = Static<typeof CaptureDetailSchema>
export type ListOf<Item> = { items: Item[]; total: number }
