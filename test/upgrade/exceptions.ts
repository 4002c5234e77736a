// What is left out when the answers before and after an upgrade are compared: all of it stands here, with its reason.
// Everything else in every answer is compared.

import type { Json } from './client.ts'

/** What the present version had not finished when the folder was packed. */
export type Work = {
  /** captures with a job to be done, those that wait in a batch, and those that a batch was about to delete */
  captureIds: string[]
  jobIds: string[]
  batchIds: string[]
  /** of the recording that was arriving: it becomes a capture at the first start, under an id that is new each time */
  arrivingSha256: string
  /** writing styles that this work uses */
  styleIds: string[]
}

/** Of captures in `Work`: when and how fast this computer did it; and what another processor computes otherwise. */
const OF_WORK_DONE = [
  ...['updated_at', 'processing_ms'],
  ...['avg_logprob', 'no_speech_prob', 'language_probability', 'words', 'start', 'end'],
]

/** The JSON holds what the capture itself holds, and the others the times. */
export const EXPORTS_OF_WORK_DONE = ['txt', 'md']

/** Of jobs and batches in `Work`: when they were done, and how often they were begun before that. */
const OF_JOBS_DONE = ['attempts', 'started_at', 'finished_at']

/** Counted in memory and written some seconds later: a start that is killed may lose what it counted itself. */
const OF_USES = ['usage_count', 'last_used_at']

/** They depend on the day on which they are requested. */
const OF_TODAY = ['current_streak']

/** A batch that has been over for so long is forgotten by every start. */
const FORGOTTEN_AFTER_MS = 30 * 24 * 3_600_000

export const ARRIVED = 'arrived'
const NEW_JOB = 'new'

const without = (names: readonly string[], value: Json): Json =>
  JSON.parse(JSON.stringify(value, (name, inner) => (names.includes(name) ? undefined : inner)))

/** A capture, in whatever answer. */
export function ofCapture(capture: Json, { captureIds, arrivingSha256 }: Work): Json {
  // Its audio lies under its id.
  if (capture.audio_sha256 === arrivingSha256)
    return { ...without(OF_WORK_DONE, capture), id: ARRIVED, audio_path: ARRIVED }
  return captureIds.includes(capture.id) ? without(OF_WORK_DONE, capture) : capture
}

/** The latest version of a capture in `Work` may be the text that the work replaced. */
export const ofVersions = (versions: Json, captureId: string, { captureIds }: Work): Json =>
  captureIds.includes(captureId)
    ? {
        ...versions,
        items: versions.items.map((version: Json, index: number) =>
          index === versions.items.length - 1 ? without(['created_at'], version) : version,
        ),
      }
    : versions

/** Jobs that a batch or the arriving recording needed after the start are new: their ids and times are. */
export function ofJobs(jobs: Json[], known: readonly string[], work: Work, arrivedId: string | null): Json[] {
  const isKnown = ({ id }: Json) => known.includes(id)
  const old = jobs
    .filter(isKnown)
    .map((job) => (work.jobIds.includes(job.id) ? without(OF_JOBS_DONE, job) : job))
  const added = jobs
    .filter((job) => !isKnown(job))
    .map((job) => ({ ...without([...OF_JOBS_DONE, 'created_at'], job), id: NEW_JOB }))
    .map((job) => (job.capture_id === arrivedId ? { ...job, capture_id: ARRIVED } : job))
  return [...added.toSorted((one, other) => (one.capture_id < other.capture_id ? -1 : 1)), ...old]
}

export const ofBatch = (batch: Json, { batchIds }: Work): Json =>
  batchIds.includes(batch.id) ? without(OF_JOBS_DONE, batch) : batch

export const isForgotten = ({ finished_at: at }: Json): boolean =>
  typeof at === 'string' && Date.now() - Date.parse(at) > FORGOTTEN_AFTER_MS

/** Uses of the styles that the work needed; of the dictionary it needs no entry. */
export const ofStyle = (style: Json, { styleIds }: Work): Json =>
  styleIds.includes(style.id) ? without(OF_USES, style) : style

/** Days at the end of the span on which nothing was said are listed up to today. */
export const ofStatistics = ({ daily, ...rest }: Json): Json => ({
  ...without(OF_TODAY, rest),
  daily: daily.filter(({ captures }: Json) => captures > 0),
})

/**
 * `npm run rebuild` makes the database from the files, and these stand in the database alone: jobs and batches that are
 * over, the history of commands, uses counted since the file of the dictionary or of the styles was written, deliveries
 * that waited. Jobs of a rebuilt database are therefore not compared, but what they leave of their captures is.
 */
export function afterRebuild(answers: Record<string, Json>, running: string[]): Record<string, Json> {
  const left = Object.entries(answers).flatMap(([request, answer]) => {
    if (request.startsWith('GET /jobs?') || request.startsWith('GET /commands/history')) return []
    const [, batchId] = /^GET \/jobs\/batches\/(.+)$/.exec(request) ?? []
    // How much of a batch had been done before is known to its captures alone.
    if (batchId !== undefined) return running.includes(batchId) ? [[request, answer.state]] : []
    if (request.startsWith('GET /jobs/batches')) return []
    return [[request, without(OF_USES, answer)]]
  })
  return Object.fromEntries(left)
}
