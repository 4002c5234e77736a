// The shapes of what the server sends, read off the schemas that it checks and documents them by.
// Types alone: nothing of the server comes into the page.

import type { Static } from '@sinclair/typebox'
import type { CaptureDetailSchema, FoundCaptureSchema } from '../../http/captures/schema.ts'
import type { ProblemBody } from '../../http/contract/problem.ts'
import type { ModelsSchema, WireModel } from '../../http/models/schema.ts'
import type { FilesystemSchema } from '../../http/service/filesystem-health.ts'
import type { HealthSchema } from '../../http/service/health.ts'
import type { TasksSchema } from '../../http/service/tasks.ts'

export type { ProblemBody }
export type ListedCapture = Static<typeof FoundCaptureSchema>
export type DetailedCapture = Static<typeof CaptureDetailSchema>
export type ListOf<Item> = { items: Item[]; total: number }
export type ListedModel = WireModel
export type ModelList = Static<typeof ModelsSchema>
export type ServerHealth = Static<typeof HealthSchema>
export type DiskHealth = Static<typeof FilesystemSchema>
export type ActiveTasks = Static<typeof TasksSchema>
