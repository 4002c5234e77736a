// The text of a recording: live while speaking, then as stored.

import { strings } from '../strings/strings.ts'
import { shownWords } from './live-words.ts'
import type { Take } from './take.ts'

/** Without words for this long, a user might think that nothing works. */
const SLOW_AFTER_SECONDS = 6

/** Not announced while it grows; the announcer reports events. */
export const GrowingText = ({ take }: { take: Take }) => {
  const { certain, changing } = shownWords(take.words.value)
  const { record } = strings.value
  const liveText = take.liveText.value
  const isEmpty = certain === '' && changing === ''
  const isOn = take.phase.value === 'recording'
  const listening = take.seconds.value < SLOW_AFTER_SECONDS ? record.listening : record.wordsSlow
  if (isEmpty && !isOn) return null
  return (
    <div class="words" role="log" aria-live="off" aria-label={record.wordsSoFar}>
      {isEmpty && <p class="muted">{liveText === 'gone' ? record.wordsLater : listening}</p>}
      {!isEmpty && (
        <p dir="auto">
          {certain && `${certain} `}
          <span class="changing">{changing}</span>
        </p>
      )}
      {!isEmpty && isOn && liveText === 'gone' && <p class="muted small">{record.wordsLater}</p>}
    </div>
  )
}
