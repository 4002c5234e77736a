// The interface of every engine in the benchmark: transcribe one clip repeatedly with one model and thread count.

import type { ModelFile } from '../../../src/engine/engine.ts'

export type Clip = {
  name: string
  /** 16 kHz mono in −1…1 */
  samples: Float32Array
  /** the same as a 16-bit WAV file */
  wavFile: string
  /** ISO 639-1 */
  language: string
}

export type Case = { clip: Clip; model: ModelFile; threads: number }

export type PeerResult = {
  /** samples to text; the model is already loaded */
  ms: number
  text: string
  /** if reported: the time of the encoder, and the average per token */
  encodeMs?: number
  tokenMs?: number
}

/** Greedy, without temperature fallback, with timestamps, in the clip's language. */
export type Peer = {
  /** with its version */
  name: string
  transcribe(): Promise<PeerResult>
  close(): Promise<void>
}
