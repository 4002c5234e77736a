// The first view. Recording continues while another view is open.

import { useSignalEffect } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { linkTo } from '../address.ts'
import { chordName } from '../keys/chord.ts'
import { shortcuts } from '../keys/shortcuts.ts'
import { clockTime } from '../parts/formats.ts'
import { Heading } from '../parts/layout.tsx'
import { pointer } from '../parts/pointer.ts'
import { announce } from '../parts/toasts.tsx'
import { strings } from '../strings/strings.ts'
import { pressMode } from './choices.ts'
import { ChoicesForm } from './choices-form.tsx'
import { FirstMinute } from './first-minute.tsx'
import { RecentList } from './recent-list.tsx'
import { endsSoon, RecordButton } from './record-button.tsx'
import { RecordChips } from './record-chips.tsx'
import { followKeys } from './record-keys.ts'
import {
  coolDownNow,
  currentTake,
  isAnotherMicrophone,
  microphoneFault,
  recorderState,
  seemsOff,
  warmUp,
} from './recorder.ts'
import { cancelWithUndo, shownCapture } from './stored-capture.ts'
import { StoredResult } from './stored-result.tsx'
import { TakeResult } from './take-result.tsx'
import { GrowingText } from './take-text.tsx'
import { UnsentRecordings } from './unsent-recordings.tsx'

export const RecordView = () => {
  const button = useRef<HTMLButtonElement>(null)
  useEffect(followKeys, [])
  useEffect(keepWarmWhileSeen, [])
  useSignalEffect(() => {
    const { record } = strings.peek()
    if (recorderState.value === 'recording') {
      shownCapture.value = null
      announce(record.recordingNow)
    }
    if (recorderState.value === 'ending') announce(record.writing)
  })
  const { record, views } = strings.value
  const state = recorderState.value
  const take = currentTake.value
  const isOn = state === 'recording' || state === 'ending'
  const focusButton = () => button.current?.focus()
  return (
    <div class="narrow">
      <div class="viewhead">
        <Heading text={views.record} />
        <RecordChips />
      </div>
      {isAnotherMicrophone.value && <p class="small muted">{record.anotherMicrophone}</p>}
      <UnsentRecordings />
      <section class={isOn ? 'recorder on' : 'recorder'} aria-label={views.record}>
        <RecordButton buttonRef={button} />
        <div class="recorderstate">
          {isOn ? (
            <>
              <p class="clock">{take ? clockTime(take.seconds.value) : ' '}</p>
              <button type="button" class="plain" onClick={cancelWithUndo}>
                {record.cancel} <kbd>Esc</kbd>
              </button>
            </>
          ) : (
            <div class="hint">{state === 'opening' ? <p>{record.opening}</p> : <Hint />}</div>
          )}
        </div>
        <p role="status">{endsSoon.value && record.endsSoon}</p>
        {isOn && seemsOff.value && <p role="status">{record.noSound}</p>}
        {isOn && take?.isUnsaved.value && <p role="status">{record.unkept}</p>}
      </section>
      <MicrophoneTrouble />
      {take && (
        <section class="card taken" aria-label={record.text}>
          {isOn ? (
            <GrowingText take={take} />
          ) : (
            <TakeResult key={take.id} take={take} onAgain={focusButton} />
          )}
        </section>
      )}
      {!isOn && shownCapture.value && (
        <StoredResult key={shownCapture.value} id={shownCapture.value} onAgain={focusButton} />
      )}
      {!take && !shownCapture.value && <FirstMinute />}
      <ChoicesForm isHidden={isOn} />
      <RecentList besides={shownCapture.value ?? take?.captureId.value ?? null} />
    </div>
  )
}

const Hint = () => {
  const { record } = strings.value
  const talk = shortcuts.talk.value
  return (
    <>
      <p class="do">{pressMode.value === 'hold' ? record.holdHint : record.pressHint[pointer.value]}</p>
      {talk && (
        <p class="bykey">
          {record.orHold} <kbd>{chordName(talk)}</kbd>
        </p>
      )}
    </>
  )
}

/**
 * Keeps the microphone open while the view is visible and releases it when hidden: users trust the browser's recording
 * indicator.
 */
function keepWarmWhileSeen(): () => void {
  void warmUp()
  const look = () => (document.hidden ? coolDownNow() : void warmUp())
  document.addEventListener('visibilitychange', look)
  return () => {
    document.removeEventListener('visibilitychange', look)
    coolDownNow()
  }
}

const MicrophoneTrouble = () => {
  const fault = microphoneFault.value
  const { record } = strings.value
  return (
    <div role="alert">
      {fault && (
        <div class="card">
          <p>
            <strong>{record.faults[fault].what}</strong> {record.faults[fault].help}
          </p>
          <a href={linkTo(['files'])}>{record.fileInstead}</a>
        </div>
      )}
    </div>
  )
}
