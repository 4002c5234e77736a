// Detects when a recording should end by itself (the server's speech events) and when the microphone seems off (the
// samples).

import type { LiveMessage } from '../server/wire.ts'

/** Of 32,768, about -54 dB: below what a microphone delivers in a quiet room. */
const SOUND = 65
const NO_SOUND_SECONDS = 5

export type SilenceWatch = {
  push(samples: Int16Array): void
  receive(message: LiveMessage): void
  /** whether there was no sound for so long that the microphone may be off */
  seemsOff(): boolean
  /** seconds since speech ended; 0 during speech and before the first */
  afterSpeech(): number
}

export function watchSilence(rate: number): SilenceWatch {
  let soundless = 0
  let seconds = 0
  let stoppedAt: number | null = null
  return {
    push(samples) {
      seconds += samples.length / rate
      soundless = peakOf(samples) > SOUND ? 0 : soundless + samples.length / rate
    },
    receive({ type }) {
      if (type === 'speech_started') stoppedAt = null
      // The server reports it after one second of silence.
      if (type === 'speech_stopped') stoppedAt = seconds - 1
    },
    seemsOff: () => soundless >= NO_SOUND_SECONDS,
    afterSpeech: () => (stoppedAt === null ? 0 : Math.max(0, seconds - stoppedAt)),
  }
}

export function peakOf(samples: Int16Array): number {
  let peak = 0
  for (const sample of samples) peak = Math.max(peak, Math.abs(sample))
  return peak
}
