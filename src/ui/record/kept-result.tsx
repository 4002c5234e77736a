// A capture with its text, as the result of a recording: one that was taken back, left over, or the sample.
// What is shown of it is take-result.tsx's.

import { isAtWork } from '../captures/capture-actions.ts'
import { strings } from '../strings/strings.ts'
import { useKeptCapture } from './kept-capture.ts'
import { Outcome } from './take-result.tsx'
import { WorkSoFar } from './work-so-far.tsx'

export const KeptResult = ({ id, onAgain }: { id: string; onAgain: () => void }) => {
  const { capture, progress } = useKeptCapture(id)
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
