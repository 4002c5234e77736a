// The facts about a capture, in one line; those about the work on it are in the menu.

import { clockTime, dateAndTime, figure, percentText, wholeMomentText } from '../parts/formats.ts'
import { modelName } from '../parts/model-names.ts'
import { nameOfLanguage } from '../parts/spoken-languages.ts'
import type { DetailedCapture } from '../server/wire.ts'
import { counted, filled, strings } from '../strings/strings.ts'

export const Facts = ({ capture }: { capture: DetailedCapture }) => {
  const { recorded_at: moment, duration_ms: duration, word_count: words } = capture
  const facts: (string | null)[] = [
    duration === null ? null : clockTime(duration / 1000),
    capture.text === '' ? null : counted(words, strings.value.capture.wordCount),
    capture.detected_language && nameOfLanguage(capture.detected_language),
    capture.app_name,
    capture.stt_model && modelName(capture.stt_model),
  ]
  return (
    <p class="facts dotted muted">
      <time dateTime={moment} title={wholeMomentText(moment)}>
        {dateAndTime(moment)}
      </time>
      {facts.map((fact, at) => fact && <span key={at}>{fact}</span>)}
    </p>
  )
}

export function workFacts(capture: DetailedCapture): string[] {
  const { capture: text, captures } = strings.value
  const { duration_ms: duration, processing_ms: processing, language_probability: sure } = capture
  const spent = (processing.decode ?? 0) + (processing.transcribe ?? 0)
  const values = {
    seconds: figure(spent / 1000, 1),
    factor: duration ? figure(spent / duration, 2) : '–',
  }
  const facts: [string, string | null][] = [
    [captures.filterNames.source, captures.sources[capture.source]],
    [captures.filterNames.language, sure === null ? null : filled(text.sure, { percent: percentText(sure) })],
    [text.languageModel, capture.llm_model],
    [
      text.processing,
      spent > 0 && processing.transcribe !== null ? filled(text.processingValue, values) : null,
    ],
  ]
  return facts.filter(([, value]) => value !== null).map(([name, value]) => `${name}: ${value}`)
}
