// A batch as a person sees it: one piece of work on many captures, and how far it is.
// How it is done is batch-feeder.ts and batch-removal.ts; it outlives the process, since it stands in the database.

import { type BatchItemRow, type BatchRow, batches, batchItems } from '../../db/schema.ts'

export const BATCH_KINDS = batches.kind.enumValues
export type BatchKind = BatchRow['kind']
export const BATCH_STATES = batches.state.enumValues
export const ITEM_STATES = batchItems.state.enumValues

export type Batch = {
  /** UUIDv7 */
  id: string
  kind: BatchKind
  state: BatchRow['state']
  /** what is made of the captures; null where nothing is transcribed */
  retranscription: Retranscription | null
  total: number
  /** captures by what became of them */
  counts: Record<BatchItemRow['state'], number>
  createdAt: Date
  finishedAt: Date | null
}

export type BatchDetail = Batch & {
  /** seconds until it is done; null where nothing tells */
  estimateSeconds: number | null
  /** some captures that were not done, and why */
  errors: { captureId: string; code: string; message: string }[]
}

/** What each capture of a batch is to undergo. */
export type Retranscription = {
  /** catalogue name */
  model: string
  /** whether the model knows more than English */
  multilingual: boolean
  /** ISO 639-1, or `auto`; null is as each capture was asked for */
  language: string | null
  prompt: string | null
  keepRefined: boolean
  skipIfSameModel: boolean
  /** chosen by who asks: as long as a batch of this key runs, asking again joins it; null never joins */
  key: string | null
}

/** What a retranscription would do, without doing it. */
export type BatchPlan = {
  total: number
  toDo: number
  skipped: number
  /** of the captures to be done; those that were never decoded count as nothing */
  audioSeconds: number
  /** seconds of work for each second of audio; null where nothing was measured yet */
  realTimeFactor: number | null
  /** whose speed that is */
  measuredWith: 'this_model' | 'other_models' | null
  estimateSeconds: number | null
}

export const SAME_MODEL = {
  code: 'same_model',
  message: 'Its transcript is from this model already.',
}
export const CAPTURE_GONE = { code: 'capture_not_found', message: 'There is no such capture any more.' }
export const IN_TRASH = { code: 'capture_in_trash', message: 'The capture is in the trash.' }
export const AUDIO_GONE = {
  code: 'audio_gone',
  message: 'The audio of this capture is gone; only its text is left.',
}
