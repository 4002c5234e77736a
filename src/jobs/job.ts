// A job as a person sees it: one piece of queued work on one capture.
// Not how it is delivered; that is queue.ts.

export const JOB_KINDS = ['transcribe', 'retranscribe', 'refine'] as const
export type JobKind = (typeof JOB_KINDS)[number]

export const JOB_STATES = ['waiting', 'active', 'completed', 'failed', 'canceled'] as const
export type JobState = (typeof JOB_STATES)[number]

export type Job = {
  /** UUIDv7 */
  id: string
  kind: JobKind
  captureId: string
  state: JobState
  /** 0 to 1 */
  progress: number
  /** how often it was started */
  attempts: number
  error: { code: string; message: string } | null
  createdAt: Date
  startedAt: Date | null
  finishedAt: Date | null
}
