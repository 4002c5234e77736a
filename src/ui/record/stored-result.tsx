// The result of a recording that was restored by Undo, left over, or the sample.

import { isAtWork } from '../captures/capture-actions.ts'
import { strings } from '../strings/strings.ts'
import { useStoredCapture } from './stored-capture.ts'
import { Outcome, WorkSoFar } from './take-result.tsx'

export const StoredResult = ({ id, onAgain }: { id: string; onAgain: () => void }) => {
  const { capture, progress } = useStoredCapture(id)
  const { record } = strings.value
  return (
    <section class="card taken" aria-label={record.text}>
      {capture && !isAtWork(capture) ? (
        <Outcome
          text={capture.text}
          capture={capture}
          captureId={id}
          durationMs={capture.duration_ms ?? 0}
          onAgain={onAgain}
        />
      ) : (
        <WorkSoFar captureId={id} progress={progress} />
      )}
    </section>
  )
}
