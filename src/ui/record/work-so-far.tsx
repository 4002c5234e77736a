// The progress of a transcription, with the time left and a cancel button.

import { useRef } from 'preact/hooks'
import { msLeft } from '../files/time-left.ts'
import { percentText, timeSpan } from '../parts/figures.ts'
import { noteFault } from '../parts/toasts.tsx'
import { request } from '../server/request.ts'
import { filled, strings } from '../strings/strings.ts'

type Props = {
  /** null until the server has stored it */
  captureId: string | null
  /** 0 to 1; null while unknown */
  progress: number | null
}

export const WorkSoFar = ({ captureId, progress }: Props) => {
  const { record, files } = strings.value
  const beganAt = useRef<number | null>(null)
  if (progress !== null) beganAt.current ??= performance.now()
  const left = progress === null ? null : msLeft(progress, performance.now() - beganAt.current!)
  return (
    <p class="row muted">
      <span>{record.writing}</span>
      {progress !== null && (
        <>
          <progress value={progress} max={1} aria-label={record.writing} />
          <span class="small">
            {percentText(progress)}
            {left !== null && ` · ${filled(files.left, { time: timeSpan(Math.ceil(left / 1000)) })}`}
          </span>
        </>
      )}
      {captureId && (
        <button type="button" class="small" onClick={() => void endWork(captureId)}>
          {record.cancel}
        </button>
      )}
    </p>
  )
}

/** Cancels the job; the recording stays, and an event brings the new state. */
const endWork = (id: string): Promise<unknown> =>
  request(`/captures/${id}/cancel`, { method: 'POST' }).catch(noteFault)
