// Response types, derived from the server's schemas. Types only: no server code enters the page.

import type { Static } from '@sinclair/typebox'
import type { WaveformSchema } from '../../http/captures/audio.ts'
import type { BatchStartedSchema } from '../../http/captures/bulk.ts'
import type { QueuedSchema } from '../../http/captures/retranscribe.ts'
import type {
  CaptureDetailSchema,
  CaptureVersionWireSchema,
  FoundCaptureSchema,
  RetranscribedCaptureSchema,
} from '../../http/captures/schema.ts'
import type { AppUseListSchema, StatisticsSchema } from '../../http/captures/stats.ts'
import type { UsedTagListSchema } from '../../http/captures/tags.ts'
import type { CommandRunSchema } from '../../http/commands/run-schema.ts'
import type { CommandSchema } from '../../http/commands/schema.ts'
import type { DictionaryEntrySchema } from '../../http/dictionary/schema.ts'
import type { OutcomeSchema } from '../../http/dictionary/test.ts'
import type { BatchDetailSchema, BatchSchema } from '../../http/jobs/batches.ts'
import type { JobWireSchema } from '../../http/jobs/jobs.ts'
import type { ProblemBody } from '../../http/kernel/problem.ts'
import type { ModelsSchema, WireModel } from '../../http/models/schema.ts'
import type { FilesystemSchema, HealthSchema } from '../../http/service/health.ts'
import type { SessionSchema } from '../../http/service/session.ts'
import type { TasksSchema } from '../../http/service/tasks.ts'
import type { LiveMessage } from '../../http/transcribe/live/messages.ts'
import type { PreviewSchema } from '../../http/writing-styles/preview.ts'
import type { WritingStyleSchema } from '../../http/writing-styles/schema.ts'

export type { LiveMessage, ProblemBody }
export type ListedCapture = Static<typeof FoundCaptureSchema>
export type DetailedCapture = Static<typeof CaptureDetailSchema>
/** A changed capture, with notices for the user. */
export type ChangedCapture = Static<typeof RetranscribedCaptureSchema>
export type ShownVersion = Static<typeof CaptureVersionWireSchema>
export type ShownSegment = DetailedCapture['segments'][number]
export type Outline = Static<typeof WaveformSchema>
export type QueuedWork = Static<typeof QueuedSchema>
export type BatchBegun = Static<typeof BatchStartedSchema>
export type AppUses = Static<typeof AppUseListSchema>
export type UsedTags = Static<typeof UsedTagListSchema>
export type UsageStatistics = Static<typeof StatisticsSchema>
export type ShownJob = Static<typeof JobWireSchema>
export type ShownStyle = Static<typeof WritingStyleSchema>
export type StylePreview = Static<typeof PreviewSchema>
export type ShownEntry = Static<typeof DictionaryEntrySchema>
export type DictionaryTrial = Static<typeof OutcomeSchema>
export type ListOf<Item> = { items: Item[]; total: number }
export type ListedModel = WireModel
export type ModelList = Static<typeof ModelsSchema>
export type ServerHealth = Static<typeof HealthSchema>
export type DiskHealth = Static<typeof FilesystemSchema>
export type SessionAnswer = Static<typeof SessionSchema>
export type ActiveTasks = Static<typeof TasksSchema>
export type ShownCommand = Static<typeof CommandSchema>
export type CommandRun = Static<typeof CommandRunSchema>
export type ListedBatch = Static<typeof BatchSchema>
export type DetailedBatch = Static<typeof BatchDetailSchema>
