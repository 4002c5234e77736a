// Queues the refinement of a capture's text.
// What was heard stays; the refined text is replaced when the job is done (refinement-outcome.ts).

import type { StoredRefinement } from '../../db/schema.ts'
import type { Result } from '../lib/result.ts'
import type { Capture } from './capture.ts'
import type { Intake } from './create-capture.ts'
import { type QueueFailure, queueJob } from './queue-job.ts'

export type RefineRequest = Omit<StoredRefinement, 'refine'>

export type RefineFailure = QueueFailure | { code: 'capture_has_no_text'; message: string }

/** The id of the job. */
export const queueRefinement = (
  intake: Intake,
  id: string,
  asked: RefineRequest,
): Promise<Result<{ jobId: string }, RefineFailure>> =>
  queueJob(intake, id, {
    refuse: ({ capture, job }) =>
      job !== null || capture.status === 'completed'
        ? null
        : { code: 'capture_has_no_text' as const, message: whyThereIsNone(capture) },
    job: {
      kind: 'refine',
      model: null,
      language: null,
      prompt: null,
      keepRefined: false,
      batchId: null,
      refinement: { refine: true, ...asked },
    },
    change: {},
  })

const whyThereIsNone = ({ status, error }: Capture): string => {
  const why = error === null ? '' : ` ${error.message}`
  return `The capture is ${status}, so that there is no text to refine.${why} Transcribe it again first.`
}
