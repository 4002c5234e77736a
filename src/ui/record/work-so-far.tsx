// How far the transcription of a result is, and how long it may still take.
// What it becomes is take-result.tsx's.

import { useRef } from 'preact/hooks'
import { msLeft } from '../files/time-left.ts'
import { percentText, timeSpan } from '../parts/figures.ts'
import { filled, strings } from '../strings/strings.ts'

/** @param progress 0 to 1; null while nothing is told */
export const WorkSoFar = ({ progress }: { progress: number | null }) => {
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
    </p>
  )
}
