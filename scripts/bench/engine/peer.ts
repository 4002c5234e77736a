// What every engine under measurement is asked: to hear one clip with one model on so many threads, again and again.
// The engines themselves are in the other files of this folder.

import type { ModelFile } from '../../../src/engine/engine.ts'

export type Clip = {
  name: string
  /** 16 kHz mono in −1…1 */
  samples: Float32Array
  /** the same as a file of 16 bits */
  wavFile: string
  /** ISO 639-1 */
  language: string
}

export type Case = { clip: Clip; model: ModelFile; threads: number }

export type PeerResult = {
  /** samples to text; the model is loaded */
  ms: number
  text: string
  /** where it says so: how long the encoder took, and on average a token */
  encodeMs?: number
  tokenMs?: number
}

/** Greedy, without falling back to other temperatures, with timestamps, in the clip's language. */
export type Peer = {
  /** with its version */
  name: string
  hear(): Promise<PeerResult>
  close(): Promise<void>
}
