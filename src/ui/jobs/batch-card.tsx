// One batch with its progress, its failures and a cancel button.

import { linkTo } from '../address.ts'
import { figure, momentText, timeSpan } from '../parts/formats.ts'
import { modelName } from '../parts/model-names.ts'
import { attempt, note } from '../parts/toasts.tsx'
import { problemText } from '../server/problem-text.ts'
import { request } from '../server/request.ts'
import type { DetailedBatch, ListedBatch } from '../server/wire.ts'
import { filled, strings } from '../strings/strings.ts'

type Shown = { batch: ListedBatch | DetailedBatch; reload: () => Promise<void> }

export const BatchCard = ({ batch, reload }: Shown) => {
  const { jobs: words } = strings.value
  const { id, kind, state, model, total, waiting, queued, created_at } = batch
  const name = `${words.batchKinds[kind]}${model === null ? '' : ` (${modelName(model)})`}, ${momentText(created_at)}`
  const done = total - waiting - queued
  const cancel = async () => {
    if (await attempt(() => request(`/jobs/batches/${id}`, { method: 'DELETE' }))) note(words.batchCanceled)
    await reload()
  }
  return (
    <li class="card">
      <p class="row">
        <strong>{name}</strong> <span class="badge">{words.batchStates[state]}</span>
      </p>
      {state === 'running' && <progress aria-label={name} max={Math.max(total, 1)} value={done} />}
      <p class="muted small">{countsOf(batch).join(' · ')}</p>
      {'errors' in batch && batch.errors.length > 0 && (
        <details>
          <summary>{words.errors}</summary>
          <ul>
            {batch.errors.map(({ capture_id, code, message }) => (
              <li key={capture_id}>
                <a href={linkTo(['captures', capture_id])}>{problemText({ code, message })}</a>
              </li>
            ))}
          </ul>
        </details>
      )}
      {state === 'running' && (
        <button type="button" aria-label={`${words.cancelRest}: ${name}`} onClick={() => void cancel()}>
          {words.cancelRest}
        </button>
      )}
    </li>
  )
}

function countsOf(batch: ListedBatch | DetailedBatch): string[] {
  const { jobs: words } = strings.value
  const { total, completed, failed, skipped, canceled } = batch
  const estimate = 'estimate_seconds' in batch ? batch.estimate_seconds : null
  return [
    filled(words.completed, { n: figure(completed), total: figure(total) }),
    ...(failed > 0 ? [filled(words.failedCount, { n: figure(failed) })] : []),
    ...(skipped > 0 ? [filled(words.skipped, { n: figure(skipped) })] : []),
    ...(canceled > 0 ? [filled(words.canceledCount, { n: figure(canceled) })] : []),
    ...(estimate === null ? [] : [filled(words.left, { time: timeSpan(estimate) })]),
  ]
}
