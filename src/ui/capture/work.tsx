// The work on a capture: the progress of its job with the time left, a failure with its remedies, and the facts about the
// result.

import { useEffect, useRef } from 'preact/hooks'
import { copyText } from '../captures/capture-actions.ts'
import { DownloadLink } from '../parts/download-link.tsx'
import { clockTime, figure, percentText, wholeMomentText } from '../parts/formats.ts'
import { nameOfLanguage } from '../parts/spoken-languages.ts'
import { announce, noteFault } from '../parts/toasts.tsx'
import { request } from '../server/request.ts'
import type { DetailedCapture } from '../server/wire.ts'
import { counted, filled, strings } from '../strings/strings.ts'
import type { CaptureState, Work } from './capture-state.ts'

export const WorkUnderWay = ({ state }: { state: CaptureState }) => {
  const work = state.work.value
  const announced = useRef(0)
  const { capture: text } = strings.value
  const quarter = work === null ? 0 : Math.floor(work.progress * 4)
  useEffect(() => {
    if (work === null) {
      if (announced.current > 0) announce(text.workOver)
      announced.current = 0
    } else if (quarter >= announced.current) {
      announced.current = quarter + 1
      announce(filled(text.workAt, { percent: percentText(quarter / 4) }))
    }
  }, [work === null, quarter])
  if (work === null) return null
  const cancel = async (): Promise<void> => {
    try {
      await request(`/captures/${state.id}/cancel`, { method: 'POST' })
      await state.load()
    } catch (error) {
      noteFault(error)
    }
  }
  return (
    <section class="card underway">
      <label>
        {work.progress === 0 ? text.waiting : filled(text.workAt, { percent: percentText(work.progress) })}
        {leftText(work)}
        <progress value={work.progress} max={1} />
      </label>
      <button type="button" onClick={() => void cancel()}>
        {text.cancel}
      </button>
    </section>
  )
}

/** Extrapolated from the progress since the page was opened; below a tenth the estimate is too rough. */
function leftText({ progress, beganAt }: Work): string {
  if (progress < 0.1) return ''
  const spent = (Date.now() - beganAt) / 1000
  const left = (spent / progress) * (1 - progress)
  return left < 1 ? '' : ` · ${filled(strings.value.capture.timeLeft, { time: clockTime(left) })}`
}

type Props = { capture: DetailedCapture; state: CaptureState }

export const WhatFailed = ({ capture, state }: Props) => {
  const { id, error, status, audio_available: hasAudio } = capture
  const { capture: text, captures } = strings.value
  if (error === null || state.work.value !== null) return null
  const details = `${error.code}\n${id}`
  const retry = async (): Promise<void> => {
    try {
      await request(`/captures/${id}/retranscribe?wait=false`, { method: 'POST', json: {} })
      await state.load()
    } catch (problem) {
      noteFault(problem)
    }
  }
  return (
    <section class={status === 'failed' ? 'card failure' : 'card'} aria-label={captures.statuses[status]}>
      <p>
        <strong>{captures.statuses[status]}.</strong> {error.message}
      </p>
      <div class="row">
        {hasAudio && capture.trashed_at === null && (
          <button type="button" class="primary" onClick={() => void retry()}>
            {captures.retry}
          </button>
        )}
        {hasAudio && (
          <DownloadLink class="button" href={`/captures/${id}/audio`}>
            {text.downloadAudio}
          </DownloadLink>
        )}
      </div>
      <details>
        <summary>{text.details}</summary>
        <p>
          <code>{error.code}</code>
          <br />
          <code>{id}</code>
        </p>
        <button type="button" onClick={() => void copyText(details)}>
          {text.copyDetails}
        </button>
      </details>
    </section>
  )
}

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
