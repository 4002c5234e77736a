// What the speech detector's process is asked and what it answers.
// Holds no behaviour; the process keeps nothing between two questions, so any of them can be asked again.

/** What Silero carries from one frame to the next. */
export type SpeechMemory = { state: Float32Array; context: Float32Array }

export type SpeechQuestion = (RangeOfFile | SpeechChunk) & {
  id: number
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

/** The next samples of a stream, brought to the loudness that the detector wants. */
export type SpeechChunk = { levelled: Float32Array }

export type SpeechAnswer =
  | { kind: 'ready' }
  /** one probability for each started 512 samples of the range */
  | { kind: 'probabilities'; id: number; probabilities: Float32Array; memory: SpeechMemory }
  | { kind: 'problem'; id: number; message: string }
  | { kind: 'unloadable'; message: string }
