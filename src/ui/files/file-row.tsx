import { linkTo } from '../address.ts'
import { megabytes, percentText, timeSpan } from '../parts/formats.ts'
import { CopyButton } from '../record/take-result.tsx'
import { filled, strings } from '../strings/strings.ts'
import { cancelFile, forgetFile, isFileOver, placeOf, type QueuedFile, retryFile } from './file-queue.ts'
import { msLeft, useNow } from './time-left.ts'

export const QueuedFileRow = ({ one }: { one: QueuedFile }) => {
  const { files } = strings.value
  const { key, file, state, captureId } = one
  const named = { name: file.name }
  return (
    <li class="card filerow">
      <div class="row">
        <strong class="filename">{file.name}</strong>
        <span class="muted small">{megabytes(file.size / 1e6)}</span>
        <span class={state === 'failed' ? 'fault' : 'muted'}>
          {files.states[state]}
          {state === 'queued' && ` · ${filled(files.place, placeOf(one))}`}
        </span>
      </div>
      {(state === 'sending' || state === 'working') && <Progress one={one} />}
      {one.fault !== null && <p class="fault">{one.fault}</p>}
      {state === 'completed' && <p dir="auto">{one.text || <span class="muted">{files.noSpeech}</span>}</p>}
      <div class="row">
        {one.text !== '' && <CopyButton text={one.text} />}
        {captureId && (
          <a class="button" href={linkTo(['captures', captureId])} aria-label={filled(files.openOf, named)}>
            {files.open}
          </a>
        )}
        {!isFileOver(one) && (
          <button
            type="button"
            aria-label={filled(files.cancelOf, named)}
            onClick={() => void cancelFile(key)}
          >
            {files.cancel}
          </button>
        )}
        {(state === 'failed' || state === 'cancelled') && !one.isHopeless && (
          <button type="button" aria-label={filled(files.retryOf, named)} onClick={() => void retryFile(key)}>
            {files.retry}
          </button>
        )}
        {isFileOver(one) && (
          <button type="button" aria-label={filled(files.removeOf, named)} onClick={() => forgetFile(key)}>
            {files.remove}
          </button>
        )}
      </div>
    </li>
  )
}

const Progress = ({ one: { file, state, progress, beganAt } }: { one: QueuedFile }) => {
  const { files } = strings.value
  const now = useNow()
  const left = state !== 'working' || beganAt === null ? null : msLeft(progress, now - beganAt)
  return (
    <div class="fileprogress">
      <progress value={progress} max={1} aria-label={filled(files.progressOf, { name: file.name })} />
      <span class="muted small">
        {percentText(progress)}
        {left !== null && ` · ${filled(files.left, { time: timeSpan(Math.ceil(left / 1000)) })}`}
      </span>
    </div>
  )
}
