// Language, model and microphone of the next recording, as chips. Language and model are the settings of the server;
// the microphone is a choice of this browser.

import type { ComponentChildren } from 'preact'
import { useEffect, useId, useState } from 'preact/hooks'
import { Icon, type IconName } from '../parts/icons.tsx'
import { useLoad } from '../parts/load.tsx'
import { modelName } from '../parts/model-names.ts'
import {
  LanguageOptions,
  loadRecognitionChoices,
  type RecognitionSettings,
} from '../parts/recognition-choices.tsx'
import { announce, attempt } from '../parts/toasts.tsx'
import { request } from '../server/request.ts'
import type { ListedModel } from '../server/wire.ts'
import { strings } from '../strings/strings.ts'
import { chosenMicrophone } from './choices.ts'
import { listMicrophones } from './microphone.ts'
import { recorderState, reopenMicrophone } from './recorder.ts'

const SETTINGS = '/settings/captures'
/** Of both settings. */
const AUTO = 'auto'

export const RecordChips = () => {
  const loaded = useLoad(loadRecognitionChoices)
  const change = async (json: Partial<RecognitionSettings>, name: string): Promise<void> => {
    const isChanged = await attempt(() => request(SETTINGS, { method: 'PATCH', json }))
    if (isChanged) announce(name)
    await loaded.reload()
  }
  return (
    <div class="chips recordchips">
      {loaded.value && (
        <>
          <LanguageChip value={loaded.value.settings.language} change={change} />
          <ModelChip value={loaded.value.settings.stt_model} models={loaded.value.models} change={change} />
        </>
      )}
      <MicrophoneChip />
    </div>
  )
}

type Change = { change: (json: Partial<RecognitionSettings>, name: string) => Promise<void> }

const LanguageChip = ({ value, change }: Change & { value: string }) => {
  const { record } = strings.value
  return (
    <ChipSelect
      icon="globe"
      label={record.language}
      value={value}
      onChosen={(language, name) => void change({ language }, name)}
    >
      <option value={AUTO}>{record.detectLanguage}</option>
      <LanguageOptions />
    </ChipSelect>
  )
}

const ModelChip = ({ value, models, change }: Change & { value: string; models: ListedModel[] }) => {
  const { record } = strings.value
  const isListed = value === AUTO || models.some(({ model_name }) => model_name === value)
  return (
    <ChipSelect
      icon="models"
      label={record.model}
      value={value}
      onChosen={(model, name) => void change({ stt_model: model }, name)}
    >
      <option value={AUTO}>{record.anyModel}</option>
      {models.map(({ model_name }) => (
        <option key={model_name} value={model_name}>
          {modelName(model_name)}
        </option>
      ))}
      {!isListed && <option value={value}>{modelName(value)}</option>}
    </ChipSelect>
  )
}

const MicrophoneChip = () => {
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
  const named = microphones.filter(({ deviceId, label }) => deviceId !== 'default' && label !== '')
  const isHere = chosen === '' || named.some(({ deviceId }) => deviceId === chosen)
  // Nothing to choose from: one microphone, or none that the browser names yet.
  if (chosen === '' && named.length < 2) return null
  return (
    <ChipSelect
      id="microphone"
      icon="record"
      label={record.microphone}
      value={chosen}
      onChosen={(id) => {
        chosenMicrophone.value = id
        void reopenMicrophone()
      }}
    >
      <option value="">{record.systemMicrophone}</option>
      {named.map(({ deviceId, label }) => (
        <option key={deviceId} value={deviceId}>
          {label}
        </option>
      ))}
      {!isHere && <option value={chosen}>{record.absentMicrophone}</option>}
    </ChipSelect>
  )
}

type ChipProps = {
  id?: string
  icon: IconName
  label: string
  value: string
  onChosen: (value: string, name: string) => void
  children: ComponentChildren
}

/** Fixed while a recording runs, because a change would apply to the next one. */
const ChipSelect = ({ id, icon, label, value, onChosen, children }: ChipProps) => {
  const own = useId()
  return (
    <label class="chip" for={id ?? own} title={label}>
      <Icon name={icon} size={16} />
      <span class="unseen">{label}</span>
      <select
        id={id ?? own}
        value={value}
        disabled={recorderState.value !== 'idle'}
        onChange={({ currentTarget }) =>
          onChosen(currentTarget.value, currentTarget.selectedOptions[0]?.textContent ?? '')
        }
      >
        {children}
      </select>
      <Icon name="down" size={14} />
    </label>
  )
}
