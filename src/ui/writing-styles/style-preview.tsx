// Previews a draft style: the new text against the old one, and the steps that changed it. Does not count as a use.

import { useState } from 'preact/hooks'
import { ChangedText } from '../parts/changed-text.tsx'
import { LineField, useDebounced } from '../parts/form-field.tsx'
import { useLoad, WhenLoaded } from '../parts/load.tsx'
import { request } from '../server/request.ts'
import type { StylePreview } from '../server/wire.ts'
import { filled, pageLanguage, strings } from '../strings/strings.ts'
import { type StyleDraft, triedStyle } from './style-draft.ts'

export const TriedStyle = ({ id, draft }: { id: string; draft: StyleDraft }) => {
  const { styles: words } = strings.value
  const [sample] = useState({ text: words.sample, language: pageLanguage.peek() })
  const [text, setText] = useState(sample.text)
  const settled = useDebounced(text)
  // Compared as text, so that a change without effect sends no request.
  const style = useDebounced(JSON.stringify(triedStyle(draft)))
  const made = useLoad<StylePreview | null>(
    async (signal) => {
      if (settled.trim() === '') return null
      const tried = JSON.parse(style) as ReturnType<typeof triedStyle>
      // The language of the page's own sample is known, so the server need not detect it.
      const isKnown = settled === sample.text && tried.language === null
      const json = { text: settled, style: tried, ...(isKnown && { language: sample.language }) }
      return request(`/writing-styles/${id}/preview`, { method: 'POST', json, signal })
    },
    [settled, style, id],
  )
  return (
    <div class="stack">
      <LineField id="style-text" label={words.try} help={words.tryHelp} rows={3} value={text} set={setText} />
      {settled.trim() !== '' && (
        <WhenLoaded of={made}>
          {(trial) =>
            trial && (
              <div class="stack" aria-live="polite">
                <ChangedText from={settled} to={trial.text} />
                <p class="muted small">
                  {trial.steps.length === 0
                    ? words.unchanged
                    : filled(words.steps, {
                        steps: trial.steps.map(({ step }) => words.stepNames[step] ?? step).join(', '),
                      })}
                </p>
                {[...trial.warnings, ...(trial.llm_failure ? [trial.llm_failure] : [])].map(
                  ({ code, message }) => (
                    <p key={message} class="warning small">
                      {words.warnings[code] ?? message}
                    </p>
                  ),
                )}
              </div>
            )
          }
        </WhenLoaded>
      )}
    </div>
  )
}
