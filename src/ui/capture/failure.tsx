// Why a capture failed, with a way to retry or to play its audio.

import { copyText } from '../captures/capture-actions.ts'
import { DownloadLink } from '../parts/download-link.tsx'
import { noteFault } from '../parts/toasts.tsx'
import { request } from '../server/request.ts'
import type { DetailedCapture } from '../server/wire.ts'
import { strings } from '../strings/strings.ts'
import type { CaptureState } from './capture-state.ts'

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
