/** Silero processes 32 ms at a time. */
export const SPEECH_FRAME_SAMPLES = 512

/** One gain applies to this many samples: 160 frames, 5.12 s. */
export const LEVEL_BLOCK_SAMPLES = 160 * SPEECH_FRAME_SAMPLES

/** The range of one request to the detector's process: 30.72 s, which take it less than a tenth of a second. */
export const REQUEST_SAMPLES = 6 * LEVEL_BLOCK_SAMPLES
