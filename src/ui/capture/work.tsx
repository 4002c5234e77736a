// The work on a capture: the progress of its job with the time left, and a failure with its remedies.

import { useEffect, useRef } from 'preact/hooks'
import { copyText } from '../captures/capture-actions.ts'
import { DownloadLink } from '../parts/download-link.tsx'
import { clockTime, percentText } from '../parts/formats.ts'
import { announce, noteFault } from '../parts/toasts.tsx'
import { problemText } from '../server/problem-text.ts'
import { request } from '../server/request.ts'
import type { DetailedCapture } from '../server/wire.ts'
import { filled, strings } from '../strings/strings.ts'
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
        <strong>{captures.statuses[status]}.</strong> {problemText(error)}
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
