// Retranscribes a capture with another model or language; the previous transcript becomes a version.

import { useEffect, useState } from 'preact/hooks'
import { writtenLanguagesByName } from '../parts/spoken-languages.ts'
import { noteFault } from '../parts/toasts.tsx'
import { request } from '../server/request.ts'
import type { ModelList, QueuedWork } from '../server/wire.ts'
import { strings } from '../strings/strings.ts'
import type { ToolProps } from './shown-text.tsx'

export const Retranscribe = ({ capture, state, onDone }: ToolProps) => {
  const [models, show] = useState<string[]>([])
  const [model, chooseModel] = useState('')
  const [language, chooseLanguage] = useState('')
  const { capture: text, captures } = strings.value
  useEffect(() => {
    request<ModelList>('/models/status').then(
      ({ models }) =>
        show(models.filter((one) => one.downloaded && one.alias_of === null).map((one) => one.model_name)),
      noteFault,
    )
  }, [])
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
          {models.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </label>
      <label class="field">
        <span class="label">{captures.filterNames.language}</span>
        <select value={language} onChange={({ currentTarget }) => chooseLanguage(currentTarget.value)}>
          <option value="">{text.asBefore}</option>
          <option value="auto">{text.automatic}</option>
          {writtenLanguagesByName.value.map(({ code, name }) => (
            <option key={code} value={code}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <button type="submit" class="primary">
        {captures.retranscribe}
      </button>
    </form>
  )
}
