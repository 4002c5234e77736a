// Messages between the server and the speech detector's process. The process keeps no state between requests, so any
// request can be repeated.

/** The state that Silero carries from one frame to the next. */
export type SpeechMemory = { state: Float32Array; context: Float32Array }

export type SpeechQuestion = (RangeOfFile | SpeechChunk) & {
  /** null at the start of a recording */
  memory: SpeechMemory | null
}

export type RangeOfFile = {
  /** a PcmFile's path and length */
  path: string
  samples: number
  /** a multiple of LEVEL_BLOCK_SAMPLES */
  fromSample: number
  toSample: number
}

/** The next samples of a stream, scaled to the detector's target level. */
export type SpeechChunk = { scaled: Float32Array }

/** `load` is the first request of a process. */
export type SpeechRequest = { kind: 'load' } | { kind: 'detect'; question: SpeechQuestion }

export type SpeechAnswer =
  | { kind: 'loaded' }
  | { kind: 'unloadable'; message: string }
  /** one probability per started 512 samples of the range */
  | { kind: 'probabilities'; probabilities: Float32Array; memory: SpeechMemory }
  | { kind: 'problem'; message: string }
