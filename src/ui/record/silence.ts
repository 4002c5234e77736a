// When a recording ends by itself, and when it seems that no sound comes. Speech is told by the server, which hears it;
// sound by the samples. What is done about it is take.ts's.

import type { LiveMessage } from '../server/wire.ts'

/** Of full scale, about -54 dB: below what a microphone gives in a quiet room. */
const SOUND = 65
const NO_SOUND_SECONDS = 5

export type SilenceWatch = {
  push(samples: Int16Array): void
  heard(message: LiveMessage): void
  /** whether there was no sound for so long that the microphone may be off */
  seemsOff(): boolean
  /** seconds since speech ended; 0 while there is some, or was none yet */
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
    heard({ type }) {
      if (type === 'speech_started') stoppedAt = null
      // It is told when there was a second of silence.
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
