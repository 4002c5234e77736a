// The metadata of a capture as a description list.

import { figure, percentText } from '../parts/figures.ts'
import { nameOfLanguage } from '../parts/spoken-languages.ts'
import { clockTime, wholeMomentText } from '../parts/times.ts'
import type { DetailedCapture } from '../server/wire.ts'
import { counted, filled, strings } from '../strings/strings.ts'

export const Facts = ({ capture }: { capture: DetailedCapture }) => (
  <dl class="facts">
    {factsOf(capture).map(([name, value]) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
)

function factsOf(capture: DetailedCapture): [string, string][] {
  const { capture: text, captures } = strings.value
  const { duration_ms: duration, processing_ms: processing, word_count: words } = capture
  const spent = (processing.decode ?? 0) + (processing.transcribe ?? 0)
  const facts: [string, string | null][] = [
    [text.date, wholeMomentText(capture.recorded_at)],
    [text.length, duration === null ? null : clockTime(duration / 1000)],
    [text.words, capture.text === '' ? null : counted(words, text.wordCount)],
    [captures.filterNames.source, captures.sources[capture.source]],
    [captures.filterNames.app, capture.app_name],
    [captures.filterNames.language, languageText(capture)],
    [captures.filterNames.model, capture.stt_model],
    [text.languageModel, capture.llm_model],
    [
      text.processing,
      spent === 0 || processing.transcribe === null
        ? null
        : filled(text.processingValue, {
            seconds: figure(spent / 1000, 1),
            factor: duration ? figure(spent / duration, 2) : '–',
          }),
    ],
  ]
  return facts.filter((fact): fact is [string, string] => fact[1] !== null)
}

function languageText({
  detected_language: code,
  language_probability: sure,
}: DetailedCapture): string | null {
  if (code === null) return null
  return sure === null ? nameOfLanguage(code) : `${nameOfLanguage(code)} (${percentText(sure)})`
}
