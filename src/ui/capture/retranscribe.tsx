// Retranscribes a capture with another model or language; the previous transcript becomes a version.

import { useState } from 'preact/hooks'
import { useLoad } from '../parts/load.tsx'
import { modelName } from '../parts/model-names.ts'
import { LanguageOptions, loadInstalledModels } from '../parts/recognition-choices.tsx'
import { noteFault } from '../parts/toasts.tsx'
import { request } from '../server/request.ts'
import type { QueuedWork } from '../server/wire.ts'
import { strings } from '../strings/strings.ts'
import type { ToolProps } from './shown-text.tsx'

export const Retranscribe = ({ capture, state, onDone }: ToolProps) => {
  const { value: models } = useLoad(loadInstalledModels)
  const [model, chooseModel] = useState('')
  const [language, chooseLanguage] = useState('')
  const { capture: text, captures } = strings.value
  const begin = async (): Promise<void> => {
    try {
      const { job_id: jobId } = await request<QueuedWork>(`/captures/${capture.id}/retranscribe?wait=false`, {
        method: 'POST',
        json: { ...(model && { model }), ...(language && { language }) },
      })
      state.work.value ??= { jobId, progress: 0, beganAt: Date.now() }
      onDone()
    } catch (error) {
      noteFault(error)
    }
  }
  return (
    <form
      class="row"
      onSubmit={(event) => {
        event.preventDefault()
        void begin()
      }}
    >
      <label class="field">
        <span class="label">{captures.filterNames.model}</span>
        <select value={model} onChange={({ currentTarget }) => chooseModel(currentTarget.value)}>
          <option value="">{text.asSet}</option>
          {models?.map(({ model_name }) => (
            <option key={model_name} value={model_name}>
              {modelName(model_name)}
            </option>
          ))}
        </select>
      </label>
      <label class="field">
        <span class="label">{captures.filterNames.language}</span>
        <select value={language} onChange={({ currentTarget }) => chooseLanguage(currentTarget.value)}>
          <option value="">{text.asBefore}</option>
          <option value="auto">{text.automatic}</option>
          <LanguageOptions />
        </select>
      </label>
      <button type="submit" class="primary">
        {captures.retranscribe}
      </button>
    </form>
  )
}
