import { linkTo } from '../address.ts'
import { figure, megabytes, momentText, percentage } from '../parts/formats.ts'
import { Heading } from '../parts/layout.tsx'
import { WhenLoaded } from '../parts/load.tsx'
import { modelName } from '../parts/model-names.ts'
import { attempt, note } from '../parts/toasts.tsx'
import { problemText } from '../server/problem-text.ts'
import { request } from '../server/request.ts'
import type { ActiveTasks, ShownJob } from '../server/wire.ts'
import { counted, filled, strings } from '../strings/strings.ts'
import { BatchCard } from './batch-card.tsx'
import { type JobsState, useJobs } from './job-state.ts'

export const JobsView = () => {
  const { views } = strings.value
  const jobs = useJobs()
  return (
    <>
      <Heading text={views.jobs} />
      <WhenLoaded of={jobs}>{(state) => <Shown state={state} reload={jobs.reload} />}</WhenLoaded>
    </>
  )
}

const Shown = ({ state, reload }: { state: JobsState; reload: () => Promise<void> }) => {
  const { jobs: words } = strings.value
  const { active, waiting, waitingTotal, failed, batches, downloads } = state
  const isIdle = active.length + waiting.length + downloads.length === 0
  return (
    <div class="jobs">
      {isIdle && <p class="card">{words.idle}</p>}
      <JobList title={words.active} jobs={active} reload={reload} />
      <JobList title={words.waiting} jobs={waiting} reload={reload} />
      {waitingTotal > waiting.length && (
        <p class="muted">{counted(waitingTotal - waiting.length, words.moreWait)}</p>
      )}
      <Downloads downloads={downloads} />
      {batches.length > 0 && (
        <section aria-labelledby="jobs-batches">
          <h2 id="jobs-batches">{words.batches}</h2>
          <ul class="plainlist stack">
            {batches.map((batch) => (
              <BatchCard key={batch.id} batch={batch} reload={reload} />
            ))}
          </ul>
        </section>
      )}
      <JobList title={words.failed} jobs={failed} reload={reload} />
    </div>
  )
}

type Listed = { title: string; jobs: ShownJob[]; reload: () => Promise<void> }

const JobList = ({ title, jobs, reload }: Listed) => {
  if (jobs.length === 0) return null
  return (
    <section aria-label={title}>
      <h2>{title}</h2>
      <ul class="plainlist lines">
        {jobs.map((job) => (
          <OneJob key={job.id} job={job} reload={reload} />
        ))}
      </ul>
    </section>
  )
}

const OneJob = ({ job, reload }: { job: ShownJob; reload: () => Promise<void> }) => {
  const { jobs: words } = strings.value
  const { id, kind, capture_id, capture_title: title, state, progress, error, created_at, attempts } = job
  const name = title ?? strings.value.captures.untitled
  const cancel = async () => {
    if (await attempt(() => request(`/jobs/${id}`, { method: 'DELETE' }))) note(words.canceled)
    await reload()
  }
  return (
    <li>
      <div class="what">
        <a class="word" href={linkTo(['captures', capture_id])}>
          {name}
        </a>
        <div class="muted small">
          {words.kinds[kind]} · {momentText(created_at)}
          {attempts > 1 && ` · ${filled(words.attempts, { n: figure(attempts) })}`}
        </div>
        {error !== null && <div class="fault small">{problemText(error)}</div>}
        {state === 'active' && (
          <div class="row">
            <progress aria-label={name} max={1} value={progress} />
            <span class="muted small">{percentage(Math.floor(progress * 100))}</span>
          </div>
        )}
      </div>
      {(state === 'active' || state === 'waiting') && (
        <button type="button" aria-label={`${words.cancel}: ${name}`} onClick={() => void cancel()}>
          {words.cancel}
        </button>
      )}
    </li>
  )
}

const Downloads = ({ downloads }: { downloads: ActiveTasks['downloads'] }) => {
  const { jobs: words } = strings.value
  if (downloads.length === 0) return null
  return (
    <section aria-labelledby="jobs-downloads">
      <h2 id="jobs-downloads">{words.downloads}</h2>
      <ul class="plainlist lines">
        {downloads.map(({ model_name: name, status, progress, current, error }) => (
          <li key={name}>
            <div class="what">
              <span class="word">{modelName(name)}</span>
              {status === 'error' ? (
                <div class="fault small">{error}</div>
              ) : (
                <div class="row">
                  <progress aria-label={name} max={100} value={progress} />
                  <span class="muted small">{megabytes(current / 1_000_000)}</span>
                </div>
              )}
            </div>
            <a class="button" href={linkTo(['models'])}>
              {words.toModels}
            </a>
          </li>
        ))}
      </ul>
    </section>
  )
}
