// Lists the dictionary entries and style rules that would change this text now. Manual edits and changes by a language
// model are not included.

import { useEffect, useState } from 'preact/hooks'
import { ChangedText } from '../parts/changed-text.tsx'
import { request } from '../server/request.ts'
import type { DetailedCapture, DictionaryTrial, ShownEntry, StylePreview } from '../server/wire.ts'
import { counted, filled, strings } from '../strings/strings.ts'

type Reason = { name: string; before: string; after: string }
type Found = { entries: { entry: ShownEntry; count: number }[]; rules: Reason[]; isWhole: boolean }

/** The server's limit for a style preview, in characters. */
const MOST = 50_000

async function reasonsOf(capture: DetailedCapture, stop: AbortSignal): Promise<Found> {
  const { transcript_engine: engineText, transcript_raw: raw } = capture
  // Awaited together: if both fail, an unawaited second rejection would be unhandled.
  const [entries, rules] = await Promise.all([entriesOf(capture, stop), rulesOf(capture, stop)])
  return { entries, rules, isWhole: Math.max(engineText.length, raw.length) <= MOST }
}

async function entriesOf(capture: DetailedCapture, signal: AbortSignal): Promise<Found['entries']> {
  const { transcript_engine: engineText, detected_language: language } = capture
  const json = { text: engineText.slice(0, MOST), language }
  const { applied } = await request<DictionaryTrial>('/dictionary/test', { method: 'POST', json, signal })
  return Promise.all(
    applied.map(async ({ id, count }) => ({
      entry: await request<ShownEntry>(`/dictionary/${id}`, { signal }),
      count,
    })),
  )
}

async function rulesOf(capture: DetailedCapture, signal: AbortSignal): Promise<Reason[]> {
  const { transcript_raw: raw, detected_language: language, writing_style_id: style } = capture
  if (style === null) return []
  const json = { text: raw.slice(0, MOST), use_llm: false, ...(language && { language }) }
  const path = `/writing-styles/${style}/preview`
  const { steps } = await request<StylePreview>(path, { method: 'POST', json, signal })
  return steps.map(({ step, before, after }) => ({ name: step, before, after }))
}

export const Reasons = ({ capture }: { capture: DetailedCapture }) => {
  const [found, show] = useState<Found | null>(null)
  useEffect(() => {
    const stop = new AbortController()
    // A style deleted meanwhile has no rules to list.
    reasonsOf(capture, stop.signal).then(show, () => {})
    return () => stop.abort()
  }, [capture])
  const { capture: text } = strings.value
  if (found === null) return null
  const { entries, rules, isWhole } = found
  return (
    <section aria-label={text.reasons}>
      <h2>{text.reasons}</h2>
      {entries.length + rules.length === 0 && <p class="muted">{text.noReasons}</p>}
      <ul class="plainlist stack">
        {entries.map(({ entry, count }) => (
          <li key={entry.id}>
            <strong>{text.dictionaryEntry}</strong> {changeOf(entry)}{' '}
            <span class="muted">{counted(count, text.timesUsed)}</span>
          </li>
        ))}
        {rules.map(({ name, before, after }) => (
          <li key={name}>
            <strong>{ruleName(name)}</strong>
            <ChangedText from={before} to={after} language={capture.detected_language} />
          </li>
        ))}
      </ul>
      {!isWhole && <p class="muted small">{text.onlyBeginning}</p>}
    </section>
  )
}

function changeOf({ type, word, replacement }: ShownEntry): string {
  const { entryChanges, entryOmits } = strings.value.capture
  return type === 'omit'
    ? filled(entryOmits, { word })
    : filled(entryChanges, { word, replacement: replacement ?? word })
}

/** The server's rule name in readable form. */
const ruleName = (step: string): string => step.charAt(0).toUpperCase() + step.slice(1).replaceAll('_', ' ')
