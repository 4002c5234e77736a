// Queues another transcription of a capture that is kept.
// What it replaces stays until it is done, and as a version afterwards (transcription-outcome.ts).

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { StoredRefinement } from '../../db/schema.ts'
import type { Result } from '../lib/result.ts'
import type { Intake } from './create-capture.ts'
import { type QueueFailure, queueJob } from './queue-job.ts'

export type RetranscribeRequest = {
  /** null is whatever is best when the job runs */
  model: string | null
  /** ISO 639-1; null is automatic */
  language: string | null
  prompt: string | null
  /** whether the text as refined before stays on top of the new transcript */
  keepRefined: boolean
  /** null is as the settings say when the job runs */
  refinement?: StoredRefinement | null
  /** the batch that asks for it */
  batchId?: string | null
}

export type RetranscribeFailure = QueueFailure | { code: 'audio_gone'; message: string }

/** The id of the job. */
export const retranscribeCapture = (
  intake: Intake,
  id: string,
  { refinement = null, batchId = null, ...asked }: RetranscribeRequest,
): Promise<Result<{ jobId: string }, RetranscribeFailure>> => {
  const { model, language } = asked
  return queueJob(intake, id, {
    refuse: ({ capture }) => (existsSync(join(intake.dataFolder, capture.audioPath)) ? null : AUDIO_GONE),
    job: { kind: 'retranscribe', ...asked, refinement, batchId },
    change: { status: 'pending', error: null, sttModel: model, language },
  })
}

const AUDIO_GONE = {
  code: 'audio_gone' as const,
  message: 'The audio of this capture is gone; only its text is left.',
}
