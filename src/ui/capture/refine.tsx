// Refines a capture with a chosen writing style; the raw transcript is not changed.

import { useEffect, useState } from 'preact/hooks'
import { note, noteFault } from '../parts/toasts.tsx'
import { request } from '../server/request.ts'
import type { ChangedCapture, ListOf, ShownStyle } from '../server/wire.ts'
import { strings } from '../strings/strings.ts'
import type { ToolProps } from './shown-text.tsx'

export const Refine = ({ capture, state, onDone }: ToolProps) => {
  const [styles, show] = useState<ShownStyle[]>([])
  const [style, choose] = useState(capture.writing_style_id ?? '')
  const [isBusy, setBusy] = useState(false)
  const { capture: text } = strings.value
  useEffect(() => {
    request<ListOf<ShownStyle>>('/writing-styles?limit=200').then(({ items }) => show(items), noteFault)
  }, [])
  const begin = async (): Promise<void> => {
    setBusy(true)
    try {
      const changed = await request<ChangedCapture | { job_id: string }>(`/captures/${capture.id}/refine`, {
        method: 'POST',
        json: { writing_style_id: style || null },
      })
      // A slow refinement is a job and is shown as such.
      if ('segments' in changed) {
        state.capture.value = changed
        for (const { message } of changed.warnings) note(message)
        note(text.refined)
      }
      onDone()
    } catch (error) {
      noteFault(error)
    }
    setBusy(false)
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
        <span class="label">{text.style}</span>
        <select value={style} onChange={({ currentTarget }) => choose(currentTarget.value)}>
          <option value="">{text.styleThatMatches}</option>
          {styles.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <button type="submit" class="primary" disabled={isBusy}>
        {text.tools.refine}
      </button>
    </form>
  )
}
