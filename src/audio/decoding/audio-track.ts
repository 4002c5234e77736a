// The audio tracks of a recording, and a recording whose tracks are known.

import type { PcmSink } from './pcm-sink.ts'

export type AudioTrack = {
  /** the container's track number */
  id: number
  /** the track that a player plays by default; several tracks may have this flag, or none */
  isDefault: boolean
  /** as the container declares them */
  language: string | null
  title: string | null
}

export type OpenedRecording = {
  /** empty if the format has no tracks or none is known */
  tracks: readonly AudioTrack[]
  /** @param track one of `tracks`; null selects the first audio in the file */
  decode(sink: PcmSink, track: AudioTrack | null): void | Promise<void>
}
