// Lists every field that the comparison before and after an upgrade leaves out, each with its reason.
// answers.ts compares all others.

import type { Json } from './client.ts'

/** The work that was unfinished when the folder was packed. */
export type Work = {
  /** captures with an unfinished job, and those that wait in a batch */
  captureIds: string[]
  jobIds: string[]
  batchIds: string[]
  /** of the recording that was arriving: the first start turns it into a capture, with a new id each time */
  arrivingSha256: string
  /** writing styles that this work uses */
  styleIds: string[]
}

/** Fields of captures in `Work` that depend on the time and speed of the work, and on the processor's arithmetic. */
const OF_WORK_DONE = [
  ...['updated_at', 'processing_ms'],
  ...['avg_logprob', 'no_speech_prob', 'language_probability', 'words', 'start', 'end'],
]

/** For captures in `Work`: the other formats contain the fields above. */
export const EXPORTS_OF_WORK_DONE = ['txt', 'md']

/** Fields of jobs and batches in `Work` that depend on the time of the work, and on the number of killed starts. */
const OF_JOBS_DONE = ['attempts', 'started_at', 'finished_at']

/** Fields of styles in `Work`: the server writes use counts after some seconds, so a killed start loses some. */
const OF_USES = ['usage_count', 'last_used_at']

/** It depends on the day of the request. */
const OF_TODAY = ['current_streak']

/** Every start deletes the batches that ended longer ago. */
const FORGOTTEN_AFTER_MS = 30 * 24 * 3_600_000

export const ARRIVED = 'arrived'
const NEW_JOB = 'new'

const without = (names: readonly string[], value: Json): Json =>
  JSON.parse(JSON.stringify(value, (name, inner) => (names.includes(name) ? undefined : inner)))

/** Of a message that the server words, only the numbers and times are compared: a later version may word it better. */
export const withoutWording = (answer: Json): Json =>
  answer === undefined
    ? undefined
    : JSON.parse(
        JSON.stringify(answer, (name, inner) =>
          name === 'message' && typeof inner === 'string' ? inner.match(/\d[\w.:-]*/g) : inner,
        ),
      )

/** A capture in any answer. */
export function ofCapture(capture: Json, { captureIds, arrivingSha256 }: Work): Json {
  // The path of its audio contains its id.
  if (capture.audio_sha256 === arrivingSha256)
    return { ...without(OF_WORK_DONE, capture), id: ARRIVED, audio_path: ARRIVED }
  return captureIds.includes(capture.id) ? without(OF_WORK_DONE, capture) : capture
}

/** The latest version of a capture in `Work` may be the text that the work has replaced. */
export const ofVersions = (versions: Json, captureId: string, { captureIds }: Work): Json =>
  captureIds.includes(captureId)
    ? {
        ...versions,
        items: versions.items.map((version: Json, index: number) =>
          index === versions.items.length - 1 ? without(['created_at'], version) : version,
        ),
      }
    : versions

/** Jobs queued after the start, for a batch or for the arriving recording, have new ids and times. */
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

const isForgotten = (batch: Json): boolean =>
  typeof batch?.finished_at === 'string' && Date.now() - Date.parse(batch.finished_at) > FORGOTTEN_AFTER_MS

/** For expected answers: a server of today has deleted these batches. */
export function withoutForgotten(answers: Record<string, Json>): Record<string, Json> {
  const left = Object.entries(answers)
    .filter(([request, answer]) => !(request.startsWith('GET /jobs/batches/') && isForgotten(answer)))
    .map(([request, answer]) => [
      request,
      request === 'GET /jobs/batches' ? answer.filter((batch: Json) => !isForgotten(batch)) : answer,
    ])
  return Object.fromEntries(left)
}

/** The work uses no entry of the dictionary, whose counts are therefore compared. */
export const ofStyle = (style: Json, { styleIds }: Work): Json =>
  styleIds.includes(style.id) ? without(OF_USES, style) : style

/** Empty days are listed up to the day of the request. */
export const ofStatistics = ({ daily, ...rest }: Json): Json => ({
  ...without(OF_TODAY, rest),
  daily: daily.filter(({ captures }: Json) => captures > 0),
})

/**
 * `npm run rebuild` restores the contents of the files. Only the database has: ended jobs and batches, the command history,
 * uses counted since the file was written, waiting deliveries, and announcements of retention, which announces again
 * before it removes anything. So jobs are not compared after a rebuild, but their captures are.
 */
export function afterRebuild(answers: Record<string, Json>, running: string[]): Record<string, Json> {
  const left = Object.entries(answers).flatMap(([request, answer]) => {
    if (request.startsWith('GET /jobs?') || request.startsWith('GET /commands/history')) return []
    const [, batchId] = /^GET \/jobs\/batches\/(.+)$/.exec(request) ?? []
    // The counts of a batch restart: its file does not say which captures are done.
    if (batchId !== undefined) return running.includes(batchId) ? [[request, answer.state]] : []
    if (request.startsWith('GET /jobs/batches')) return []
    if (request === 'GET /settings/captures') return [[request, withoutAnnouncement(answer)]]
    return [[request, without(OF_USES, answer)]]
  })
  return Object.fromEntries(left)
}

const withoutAnnouncement = ({ warnings, ...settings }: Json): Json => ({
  ...settings,
  warnings: warnings.filter(({ code }: Json) => code !== 'removal_announced'),
})
