// The recording indicator of the navigation, with the elapsed time and a stop button.

import { linkTo } from '../address.ts'
import { clockTime } from '../parts/formats.ts'
import { Icon } from '../parts/icons.tsx'
import { strings } from '../strings/strings.ts'
import { currentTake, recorderState, stopRecording } from './recorder.ts'

export const RecordingNow = () => {
  const { record } = strings.value
  const take = currentTake.value
  if (take === null || (recorderState.value !== 'recording' && recorderState.value !== 'ending')) return null
  return (
    <section class="recordingnow" aria-label={record.isOn}>
      <a href={linkTo([])} title={record.isOn}>
        <span class="unseen">{record.isOn} </span>
        {clockTime(take.seconds.value)}
      </a>
      <button type="button" class="icon" title={record.stop} onClick={() => void stopRecording()}>
        <Icon name="stop" isFull />
        <span class="unseen">{record.stop}</span>
      </button>
    </section>
  )
}
