// What a style, as it stands in its form, makes of a text: the new text against the old one, and by which steps.
// Nothing is kept or counted.

import { useState } from 'preact/hooks'
import { useAsked, WhenAnswered } from '../parts/asked.tsx'
import { ChangedText } from '../parts/changed-text.tsx'
import { useDelayed } from '../parts/delayed.ts'
import { LineField } from '../parts/form-field.tsx'
import { ask } from '../server/ask.ts'
import type { StylePreview } from '../server/wire.ts'
import { filled, pageLanguage, strings } from '../strings/strings.ts'
import { type StyleDraft, triedStyle } from './style-draft.ts'

export const TriedStyle = ({ id, draft }: { id: string; draft: StyleDraft }) => {
  const { styles: words } = strings.value
  const [sample] = useState({ text: words.sample, language: pageLanguage.peek() })
  const [text, setText] = useState(sample.text)
  const settled = useDelayed(text)
  // As text, so that what bears on nothing asks for nothing.
  const style = useDelayed(JSON.stringify(triedStyle(draft)))
  const made = useAsked<StylePreview | null>(
    async (signal) => {
      if (settled.trim() === '') return null
      const tried = JSON.parse(style) as ReturnType<typeof triedStyle>
      // What the page wrote itself need not be found out.
      const isKnown = settled === sample.text && tried.language === null
      const json = { text: settled, style: tried, ...(isKnown && { language: sample.language }) }
      return ask(`/writing-styles/${id}/preview`, { method: 'POST', json, signal })
    },
    [settled, style, id],
  )
  return (
    <div class="stack">
      <LineField id="style-text" label={words.try} help={words.tryHelp} rows={2} value={text} set={setText} />
      {settled.trim() !== '' && (
        <WhenAnswered of={made}>
          {(trial) =>
            trial && (
              <div class="stack" aria-live="polite">
                <ChangedText from={settled} to={trial.text} />
                <p class="muted small">
                  {trial.steps.length === 0
                    ? words.unchanged
                    : filled(words.steps, { steps: trial.steps.map(({ step }) => step).join(', ') })}
                </p>
                {[...trial.warnings, ...(trial.llm_failure ? [trial.llm_failure] : [])].map(({ message }) => (
                  <p key={message} class="warning small">
                    {message}
                  </p>
                ))}
              </div>
            )
          }
        </WhenAnswered>
      )}
    </div>
  )
}
