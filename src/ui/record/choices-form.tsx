import { ChordField } from '../keys/chord-field.tsx'
import { pointer } from '../parts/pointer.ts'
import { filled, strings } from '../strings/strings.ts'
import { pressMode, stopAfterSilence } from './choices.ts'

const SILENCES = ['', '2', '4', '8'] as const

/** Hidden during a recording, so that it is open again afterwards if it was open. */
export const ChoicesForm = ({ isHidden }: { isHidden: boolean }) => {
  const { record } = strings.value
  return (
    <details class="choicesform" hidden={isHidden}>
      <summary>{record.choices}</summary>
      <div class="card">
        <div class="field">
          <label for="press-mode">{record.pressMode}</label>
          <select
            id="press-mode"
            value={pressMode.value}
            onChange={({ currentTarget }) => (pressMode.value = currentTarget.value as 'toggle' | 'hold')}
          >
            <option value="toggle">{record.byPress[pointer.value]}</option>
            <option value="hold">{record.byHold}</option>
          </select>
        </div>
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
        {pointer.value === 'mouse' && <ChordField name="talk" />}
      </div>
    </details>
  )
}
