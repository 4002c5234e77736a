// The tracks of sound that a recording has side by side, and a recording whose tracks are known.
// Which one is transcribed is choose-track.ts.

import type { PcmSink } from './pcm-sink.ts'

export type SoundTrack = {
  /** the container's own number */
  id: number
  /** the one that a player plays unless told otherwise; several may be, or none */
  isDefault: boolean
  /** as the container has them */
  language: string | null
  title: string | null
}

export type OpenedRecording = {
  /** empty where the format has no tracks, or none is known */
  tracks: readonly SoundTrack[]
  /** @param track one of `tracks`; null takes the first sound there is */
  decode(sink: PcmSink, track: SoundTrack | null): void | Promise<void>
}
