// The waveform as one SVG path below a slider, which handles pointer, touch and keys.

import { useSignalEffect } from '@preact/signals'
import { useEffect, useRef, useState } from 'preact/hooks'
import { clockTime } from '../parts/formats.ts'
import type { Outline } from '../server/wire.ts'
import { filled, strings } from '../strings/strings.ts'
import { outlineOf, type Playback } from './playback.ts'

const HEIGHT = 100

/** Along the upper edge and back along the lower one. Normalised, so that quiet recordings have full height. */
function outlinePath(peaks: readonly (readonly number[])[]): string {
  const loudest = Math.max(0.02, ...peaks.map(([low = 0, high = 0]) => Math.max(-low, high)))
  const y = (level: number) => Math.round((0.5 - (level / loudest) * 0.48) * HEIGHT * 10) / 10
  const upper = peaks.map(([, high = 0], x) => `${x} ${y(Math.max(high, 0))}`)
  const lower = peaks.map(([low = 0], x) => `${x} ${y(Math.min(low, 0)) + 0.6}`).reverse()
  return peaks.length === 0 ? '' : `M${upper.join('L')}L${lower.join('L')}Z`
}

type Props = { id: string; playback: Playback; durationSeconds: number }

export const OutlineSlider = ({ id, playback, durationSeconds }: Props) => {
  const [peaks, show] = useState<Outline['peaks']>([])
  const field = useRef<HTMLInputElement>(null)
  const played = useRef<HTMLDivElement>(null)
  useEffect(() => {
    outlineOf({ id, playback, durationSeconds }).then(
      ({ peaks }) => show(peaks),
      // The slider also works without a waveform.
      () => {},
    )
  }, [id, playback, durationSeconds])
  // Bypasses Preact: on every frame only one transform changes, which triggers no layout.
  useSignalEffect(() => {
    const seconds = playback.time.value
    const share = durationSeconds === 0 ? 0 : Math.min(seconds / durationSeconds, 1)
    if (played.current) played.current.style.transform = `scaleX(${share})`
    const second = String(Math.floor(seconds))
    if (!field.current || field.current.dataset.second === second) return
    field.current.dataset.second = second
    field.current.value = String(seconds)
    field.current.setAttribute('aria-valuetext', placeText(seconds, durationSeconds))
  })
  const text = strings.value.capture
  return (
    <div class="waveform">
      <svg
        viewBox={`0 0 ${Math.max(peaks.length - 1, 1)} ${HEIGHT}`}
        preserveAspectRatio="none"
        aria-hidden="true"
      >
        <path d={outlinePath(peaks)} />
      </svg>
      <div class="played" ref={played} />
      <input
        ref={field}
        type="range"
        min={0}
        max={durationSeconds}
        step="any"
        defaultValue="0"
        aria-label={text.place}
        onInput={({ currentTarget }) => playback.seek(Number(currentTarget.value))}
      />
    </div>
  )
}

const placeText = (seconds: number, of: number): string =>
  filled(strings.value.capture.placeOf, { place: clockTime(seconds), length: clockTime(of) })
