// Compares the text of a capture with the raw transcript, the unrefined text or an earlier version.

import { useEffect, useMemo, useState } from 'preact/hooks'
import { MarkedChanges, textChanges } from '../parts/changed-text.tsx'
import { wholeMomentText } from '../parts/formats.ts'
import { modelName } from '../parts/model-names.ts'
import { attempt, noteFault, offerUndo } from '../parts/toasts.tsx'
import { request } from '../server/request.ts'
import type { DetailedCapture, ListOf, ShownVersion } from '../server/wire.ts'
import { filled, strings } from '../strings/strings.ts'
import { Reasons } from './reasons.tsx'
import type { ToolProps } from './shown-text.tsx'

type Props = { before: string; after: string; language: string | null; isBeside: boolean }

const ComparedTexts = ({ before, after, language, isBeside }: Props) => {
  const changes = useMemo(() => textChanges(before, after, language), [before, after, language])
  const { capture: text } = strings.value
  if (before === after) return <p class="muted">{text.noChange}</p>
  if (!isBeside) return <MarkedChanges changes={changes} language={language} />
  return (
    <div class="beside">
      <section aria-label={text.before}>
        <h2>{text.before}</h2>
        <MarkedChanges changes={changes.filter(({ kind }) => kind !== 'new')} language={language} />
      </section>
      <section aria-label={text.after}>
        <h2>{text.after}</h2>
        <MarkedChanges changes={changes.filter(({ kind }) => kind !== 'gone')} language={language} />
      </section>
    </div>
  )
}

export const Compare = ({ capture, state }: ToolProps) => {
  const [versions, show] = useState<ShownVersion[]>([])
  const [chosen, choose] = useState('engine')
  const [isBeside, setBeside] = useState(false)
  useEffect(() => {
    request<ListOf<ShownVersion>>(`/captures/${capture.id}/versions`).then(
      ({ items }) => show(items),
      noteFault,
    )
  }, [capture.id, capture.updated_at])
  const { capture: text } = strings.value
  const language = capture.detected_language
  const restore = async (number: number): Promise<void> => {
    const path = `/captures/${capture.id}/versions/${number}/restore`
    state.capture.value = await request<DetailedCapture>(path, { method: 'POST' })
  }
  const restoreVersion = async (number: number): Promise<void> => {
    // Restoring makes the replaced text the newest version.
    const replaced = (versions.at(-1)?.number ?? 0) + 1
    if (!(await attempt(() => restore(number)))) return
    offerUndo(filled(text.broughtBack, { n: number }), () => restore(replaced))
  }
  return (
    <div class="stack">
      <div class="row">
        <label class="field">
          <span class="label">{text.compareWith}</span>
          <select value={chosen} onChange={({ currentTarget }) => choose(currentTarget.value)}>
            <option value="engine">{text.engineText}</option>
            <option value="raw">{text.rawText}</option>
            {versions.toReversed().map(({ number, created_at, stt_model }) => (
              <option key={number} value={String(number)}>
                {filled(text.version, {
                  n: number,
                  date: wholeMomentText(created_at),
                  model: stt_model === null ? '–' : modelName(stt_model),
                })}
              </option>
            ))}
          </select>
        </label>
        <label class="choice">
          <input
            type="checkbox"
            checked={isBeside}
            onChange={({ currentTarget }) => setBeside(currentTarget.checked)}
          />
          {text.sideBySide}
        </label>
      </div>
      <ComparedTexts
        before={beforeOf(capture, versions, chosen)}
        after={capture.text}
        language={language}
        isBeside={isBeside}
      />
      {chosen === 'engine' || chosen === 'raw' ? (
        <Reasons capture={capture} />
      ) : (
        <div>
          <button type="button" onClick={() => void restoreVersion(Number(chosen))}>
            {text.bringBack}
          </button>
        </div>
      )}
    </div>
  )
}

function beforeOf(capture: DetailedCapture, versions: readonly ShownVersion[], chosen: string): string {
  if (chosen === 'engine') return capture.transcript_engine
  if (chosen === 'raw') return capture.transcript_raw
  const version = versions.find(({ number }) => String(number) === chosen)
  return version === undefined ? '' : (version.transcript_refined ?? version.transcript_raw)
}
