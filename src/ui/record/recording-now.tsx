// The recording indicator of the navigation, with the elapsed time and a stop button.

import { linkTo } from '../address.ts'
import { clockTime } from '../parts/formats.ts'
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
      <button type="button" onClick={() => void stopRecording()}>
        {record.stop}
      </button>
    </section>
  )
}
