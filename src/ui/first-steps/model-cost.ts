// How long another model would take on this computer.

import type { DetailedCapture, ListedModel } from '../server/wire.ts'

/**
 * Millions of encoder weights; the encoder takes most of the time (Radford et al., 2022, table 1). Used to estimate the
 * speed of a model that never ran here from one that did.
 */
const ENCODER_WEIGHTS: Record<string, number> = {
  tiny: 8,
  base: 20,
  small: 88,
  medium: 307,
  large: 637,
  turbo: 637,
}

type Sized = Pick<ListedModel, 'model_name' | 'size'>
type Transcribed = Pick<DetailedCapture, 'processing_ms' | 'duration_ms' | 'stt_model'>

/** Seconds for the same clip; null if no estimate is possible, or if the model would be slower than speech here. */
export function secondsWith(
  model: Sized,
  { processing_ms: { transcribe }, duration_ms: duration, stt_model: usedModel }: Transcribed,
  all: readonly Sized[],
): number | null {
  const weights = (size: string | null | undefined) => ENCODER_WEIGHTS[size ?? '']
  const [then, now] = [
    weights(all.find(({ model_name }) => model_name === usedModel)?.size),
    weights(model.size),
  ]
  if (transcribe === null || duration === null || !then || !now) return null
  const ms = transcribe * (now / then)
  return ms > duration ? null : ms / 1000
}
