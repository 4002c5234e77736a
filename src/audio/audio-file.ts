// What the audio folder hands around: a recording as it came, and the same one decoded.
// Holds no behaviour.

import type { Warning } from '../lib/warning.ts'

/** The container or codec, told from the bytes alone. */
export type AudioKind = {
  /** short name, such as `wav`, `mp3`, `ogg`, `webm`, `mp4`, `flac`, `aiff`, `caf`, `avi`, `mpegts` */
  format: string
  /** what GET audio answers, such as `audio/wav` */
  mediaType: string
  /** without the dot, ours alone: never from a client */
  extension: string
}

/** A recording on its way in: whole, synced, its bytes recognised, not yet kept. */
export type IncomingAudio = {
  path: string
  bytes: number
  sha256: string
  kind: AudioKind
}

/** 16 kHz mono, 32-bit float little endian, in a file of its own under the work folder. */
export type PcmFile = {
  path: string
  samples: number
  durationMs: number
  /** time the decoder took */
  decodeMs: number
  /** whether a player that is given the recording itself plays the same: not another track, nor without the holes */
  playsAlike: boolean
  /** what of the recording is not in it */
  warnings: Warning[]
  /** deletes the file; safe to call twice */
  dispose(): Promise<void>
}
