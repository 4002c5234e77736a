// The result of a recording: the progress of its transcription, its text with a copy button, or the reason why there is none yet and the next steps.

import { useEffect, useRef, useState } from 'preact/hooks'
import { linkTo } from '../address.ts'
import { isAtWork } from '../captures/capture-actions.ts'
import { msLeft } from '../files/time-left.ts'
import { BetterModelOffer } from '../first-steps/better-model-offer.tsx'
import { clockTime, percentText, timeSpan } from '../parts/formats.ts'
import { modelName } from '../parts/model-names.ts'
import { announce, note, noteFault, offerUndo } from '../parts/toasts.tsx'
import { request } from '../server/request.ts'
import type { DetailedCapture } from '../server/wire.ts'
import { counted, filled, pageLanguage, strings } from '../strings/strings.ts'
import { textOfWords } from './live-words.ts'
import { currentTake } from './recorder.ts'
import { RecordingSound } from './recording-sound.tsx'
import { useStoredCapture } from './stored-capture.ts'
import type { Take } from './take.ts'
import { GrowingText } from './take-text.tsx'
import { saveRecording } from './wav.ts'

type CopyButtonProps = {
  text: string
  buttonRef?: { current: HTMLButtonElement | null }
  onCopied?: () => void
}

/** Shows "copied" only as long as the text stays the same. */
export const CopyButton = ({ text, buttonRef, onCopied }: CopyButtonProps) => {
  const [copied, remember] = useState<string | null>(null)
  const { record } = strings.value
  const copy = async (event: MouseEvent) => {
    try {
      await navigator.clipboard.writeText(text)
      remember(text)
      announce(record.copied)
      // After a click by keyboard, the next key starts the next recording.
      if (event.detail === 0) onCopied?.()
    } catch {
      note(record.notCopied, { isFault: true })
    }
  }
  return (
    <button type="button" class="primary" ref={buttonRef ?? null} onClick={(event) => void copy(event)}>
      {copied === text ? record.copied : record.copy}
    </button>
  )
}

type Props = {
  /** null until the server has stored it */
  captureId: string | null
  /** 0 to 1; null while unknown */
  progress: number | null
}

export const WorkSoFar = ({ captureId, progress }: Props) => {
  const { record, files } = strings.value
  const beganAt = useRef<number | null>(null)
  if (progress !== null) beganAt.current ??= performance.now()
  const left = progress === null ? null : msLeft(progress, performance.now() - beganAt.current!)
  return (
    <p class="row muted">
      <span>{record.writing}</span>
      {progress !== null && (
        <>
          <progress value={progress} max={1} aria-label={record.writing} />
          <span class="small">
            {percentText(progress)}
            {left !== null && ` · ${filled(files.left, { time: timeSpan(Math.ceil(left / 1000)) })}`}
          </span>
        </>
      )}
      {captureId && (
        <button type="button" class="small" onClick={() => void endWork(captureId)}>
          {record.cancel}
        </button>
      )}
    </p>
  )
}

/** Cancels the job; the recording stays, and an event brings the new state. */
const endWork = (id: string): Promise<unknown> =>
  request(`/captures/${id}/cancel`, { method: 'POST' }).catch(noteFault)

export const TakeResult = ({ take, onAgain }: { take: Take; onAgain: () => void }) => {
  const { capture, progress } = useStoredCapture(take.captureId.value)
  const isComplete = take.liveText.value === 'over'
  const text =
    capture && !isAtWork(capture) ? capture.text : isComplete ? textOfWords(take.words.value) : null
  return (
    <>
      {take.phase.value === 'waiting' && <p role="status">{strings.value.record.waiting}</p>}
      {take.phase.value === 'refused' && <Refusal take={take} />}
      {text === null ? (
        <Writing take={take} progress={progress} />
      ) : (
        <Outcome
          text={text}
          capture={capture}
          captureId={take.captureId.value}
          durationMs={take.elapsedMs.value}
          onAgain={onAgain}
        />
      )}
    </>
  )
}

const Writing = ({ take, progress }: { take: Take; progress: number | null }) => (
  <>
    <GrowingText take={take} />
    {take.phase.value !== 'waiting' && take.phase.value !== 'refused' && (
      <WorkSoFar captureId={take.captureId.value} progress={progress} />
    )}
  </>
)

const Refusal = ({ take }: { take: Take }) => {
  const { record } = strings.value
  return (
    <div role="alert">
      <p class="fault">{take.refusal.value}</p>
      <p>{record.stillHere}</p>
      <p class="row">
        <button type="button" class="primary" onClick={() => void take.retryUpload()}>
          {record.sendAgain}
        </button>
        <button type="button" onClick={async () => saveRecording(await take.blocks(), take.rate)}>
          {record.saveFile}
        </button>
      </p>
    </div>
  )
}

type OutcomeProps = {
  text: string
  capture: DetailedCapture | null
  captureId: string | null
  durationMs: number
  onAgain: () => void
}

/** Also used for the sample, which this page did not record. */
export const Outcome = ({ text, capture, captureId, durationMs, onAgain }: OutcomeProps) => {
  const { record } = strings.value
  const copyButton = useRef<HTMLButtonElement>(null)
  const isFailed = capture?.status === 'failed' || capture?.status === 'canceled'
  const words = capture?.word_count ?? text.split(/\s+/).filter((word) => word !== '').length
  useEffect(() => {
    if (text === '') return announce(filled(record.noSpeechFound, { time: clockTime(durationMs / 1000) }))
    announce(`${record.done}, ${counted(words, record.words)}`)
    // Does not take the focus from a user who has moved on.
    const active = document.activeElement
    if (active === null || active === document.body || active.closest('main')) copyButton.current?.focus()
  }, [])
  return (
    <div class="outcome">
      {isFailed && <Failure capture={capture} />}
      {text === '' && !isFailed && (
        <p>{filled(record.noSpeechFound, { time: clockTime(durationMs / 1000) })}</p>
      )}
      {text !== '' && (
        <p class="words" dir="auto" lang={capture?.detected_language ?? undefined}>
          {text}
        </p>
      )}
      <div class="row">
        {text !== '' && <CopyButton text={text} buttonRef={copyButton} onCopied={onAgain} />}
        {text === '' && (
          <button type="button" class="primary" onClick={onAgain}>
            {record.tryAgain}
          </button>
        )}
        {captureId && (
          <a class="button" href={linkTo(['captures', captureId])}>
            {record.open}
          </a>
        )}
        {captureId && (
          <button type="button" onClick={() => void remove(captureId)}>
            {record.remove}
          </button>
        )}
        {captureId && <RecordingSound src={`/captures/${captureId}/audio`} />}
      </div>
      {capture?.status === 'completed' && <Facts capture={capture} words={words} />}
      {capture?.status === 'completed' && text !== '' && <BetterModelOffer capture={capture} />}
    </div>
  )
}

const Facts = ({ capture, words }: { capture: DetailedCapture; words: number }) => {
  const { record } = strings.value
  const seconds = ((capture.processing_ms.transcribe ?? 0) / 1000).toLocaleString(pageLanguage.value, {
    maximumFractionDigits: 1,
  })
  return (
    <p class="muted small">
      {counted(words, record.words)} ·{' '}
      {filled(record.transcribedIn, { seconds, model: modelName(capture.stt_model ?? '') })}
    </p>
  )
}

const Failure = ({ capture }: { capture: DetailedCapture }) => {
  const { record } = strings.value
  const retry = () =>
    request(`/captures/${capture.id}/retranscribe?wait=false`, { method: 'POST', json: {} }).catch(noteFault)
  return (
    <div role="alert">
      <p class="fault">{capture.error?.message ?? record.cancelled}</p>
      <button type="button" onClick={() => void retry()}>
        {record.transcribeAgain}
      </button>
    </div>
  )
}

async function remove(id: string): Promise<void> {
  const { record } = strings.value
  const before = currentTake.value
  try {
    await request(`/captures/${id}/trash`, { method: 'POST' })
    currentTake.value = null
    offerUndo(record.removed, async () => {
      await request(`/captures/${id}/restore`, { method: 'POST' })
      currentTake.value ??= before
    })
  } catch (error) {
    noteFault(error)
  }
}
