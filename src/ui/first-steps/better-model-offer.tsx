// Offers a more accurate model with its download size and its time here, unless it is slower than speech. The download starts on request and runs in the
// background; a dismissed offer never returns.

import { useRef } from 'preact/hooks'
import { linkTo } from '../address.ts'
import { activateModel, sizeOf, startDownload } from '../models/model-state.ts'
import { percentage, timeSpan } from '../parts/formats.ts'
import { modelName } from '../parts/model-names.ts'
import { note } from '../parts/toasts.tsx'
import type { DetailedCapture, ListedModel } from '../server/wire.ts'
import { filled, strings } from '../strings/strings.ts'
import { dismissOffer, isOfferDismissed, useBetterModel } from './better-model.ts'
import { secondsWith } from './model-cost.ts'

/** Shown next to the result of a recording. */
export const BetterModelOffer = ({ capture }: { capture: DetailedCapture }) =>
  isOfferDismissed.value ? null : <Offer capture={capture} />

const Offer = ({ capture }: { capture: DetailedCapture }) => {
  const { value, reload } = useBetterModel(capture.stt_model)
  const { firstSteps: words } = strings.value
  /** Once shown, the offer stays until the view closes, even after the download. */
  const isOffered = useRef(false)
  if (value === null || value.model === null || (value.isHere && !isOffered.current)) return null
  const seconds = secondsWith(value.model, capture, value.all)
  if (seconds === null && !isOffered.current) return null
  isOffered.current = true
  const { model } = value
  const values = {
    name: modelName(model.model_name),
    size: sizeOf(model),
    time: shortSpan(seconds ?? 0),
    now: shortSpan((capture.processing_ms.transcribe ?? 0) / 1000),
  }
  return (
    <section class="offer" aria-label={words.offer}>
      <p>{filled(model.downloaded ? words.here : words.better, values)}</p>
      <div class="row">
        <DownloadBetterModel model={model} reload={reload} />
        <button type="button" class="plain" onClick={dismiss}>
          {words.dismiss}
        </button>
      </div>
    </section>
  )
}

const shortSpan = (seconds: number): string => timeSpan(seconds < 10 ? seconds : Math.round(seconds))

function dismiss(): void {
  dismissOffer()
  note(strings.value.firstSteps.dismissed)
}

type Bring = { model: ListedModel; reload: () => Promise<void> }

/** A download button, or the progress of the download. */
export const DownloadBetterModel = ({ model, reload }: Bring) => {
  const { firstSteps: words } = strings.value
  const { model_name: name, downloading, downloaded, progress } = model
  if (downloaded) {
    return (
      <button type="button" onClick={() => void switchTo(name)}>
        {words.hearWith}
      </button>
    )
  }
  if (!downloading) {
    return (
      <button type="button" onClick={() => void startDownload(name).then(reload)}>
        {filled(words.download, { size: sizeOf(model) })}
      </button>
    )
  }
  return (
    <span class="row">
      <progress value={progress ?? 0} max={1} aria-label={words.downloading} />
      <span class="muted">
        {words.downloading} {percentage(Math.floor((progress ?? 0) * 100))}
      </span>
      <a href={linkTo(['models'])}>{strings.value.views.models}</a>
    </span>
  )
}

async function switchTo(name: string): Promise<void> {
  if (await activateModel(name)) note(filled(strings.value.firstSteps.nowUsing, { name: modelName(name) }))
}
