import { useEffect, useState } from 'preact/hooks'
import { ChordField } from '../keys/chord-field.tsx'
import { filled, strings } from '../strings/strings.ts'
import { chosenMicrophone, pressMode, stopAfterSilence } from './choices.ts'
import { listMicrophones } from './microphone.ts'
import { isAnotherMicrophone, recorderState, reopenMicrophone } from './recorder.ts'

const SILENCES = ['', '2', '4', '8'] as const

export const ChoicesForm = () => {
  const { record } = strings.value
  return (
    <details class="card choicesform">
      <summary>{record.choices}</summary>
      <div class="stack">
        <MicrophoneField />
        <div class="field">
          <label for="press-mode">{record.pressMode}</label>
          <select
            id="press-mode"
            value={pressMode.value}
            onChange={({ currentTarget }) => (pressMode.value = currentTarget.value as 'toggle' | 'hold')}
          >
            <option value="toggle">{record.byPress}</option>
            <option value="hold">{record.byHold}</option>
          </select>
        </div>
        <ChordField name="talk" />
        <div class="field">
          <label for="stop-after">{record.stopAfter}</label>
          <select
            id="stop-after"
            value={stopAfterSilence.value}
            onChange={({ currentTarget }) =>
              (stopAfterSilence.value = currentTarget.value as (typeof SILENCES)[number])
            }
          >
            {SILENCES.map((seconds) => (
              <option key={seconds} value={seconds}>
                {seconds === '' ? record.neverStop : filled(record.silenceOf, { seconds })}
              </option>
            ))}
          </select>
        </div>
      </div>
    </details>
  )
}

const MicrophoneField = () => {
  const [microphones, list] = useState<MediaDeviceInfo[]>([])
  const { record } = strings.value
  useEffect(() => {
    const look = () => void listMicrophones().then(list, () => {})
    look()
    // Browsers reveal the names of microphones only after one of them was allowed.
    const end = recorderState.subscribe(look)
    navigator.mediaDevices?.addEventListener('devicechange', look)
    return () => {
      end()
      navigator.mediaDevices?.removeEventListener('devicechange', look)
    }
  }, [])
  const chosen = chosenMicrophone.value
  const isHere = chosen === '' || microphones.some(({ deviceId }) => deviceId === chosen)
  return (
    <div class="field">
      <label for="microphone">{record.microphone}</label>
      <select
        id="microphone"
        value={chosen}
        disabled={recorderState.value !== 'idle'}
        onChange={({ currentTarget }) => {
          chosenMicrophone.value = currentTarget.value
          void reopenMicrophone()
        }}
      >
        <option value="">{record.systemMicrophone}</option>
        {microphones
          .filter(({ deviceId }) => deviceId !== 'default')
          .map(({ deviceId, label }) => (
            <option key={deviceId} value={deviceId}>
              {label}
            </option>
          ))}
        {!isHere && <option value={chosen}>{record.absentMicrophone}</option>}
      </select>
      {isAnotherMicrophone.value && <p class="small muted">{record.anotherMicrophone}</p>}
    </div>
  )
}
