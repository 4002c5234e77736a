// Shared types: a recording as received and as decoded.

import type { Warning } from '../lib/warning.ts'

/** The container or codec, detected from the bytes alone. */
export type AudioKind = {
  /** short name, such as `wav`, `mp3`, `ogg`, `webm`, `mp4`, `flac`, `aiff`, `caf`, `avi`, `mpegts` */
  format: string
  /** the Content-Type of GET audio, such as `audio/wav` */
  mediaType: string
  /** without the dot; chosen by the server, never by a client */
  extension: string
}

/** A received recording: complete, synced and recognised, but not yet stored under its final name. */
export type IncomingAudio = {
  path: string
  bytes: number
  sha256: string
  kind: AudioKind
}

/** 16 kHz mono, 32-bit float little endian, in its own file in the work folder. */
export type PcmFile = {
  path: string
  samples: number
  durationMs: number
  /** decoding time */
  decodeMs: number
  /**
   * whether a player plays the original recording the same way: the same track, without gaps that the decoder filled
   */
  playsAlike: boolean
  /** which parts of the recording are missing */
  warnings: Warning[]
  /** deletes the file; safe to call twice */
  dispose(): Promise<void>
}
