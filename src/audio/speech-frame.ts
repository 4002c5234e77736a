// The grid that speech detection works on.
// Holds no behaviour.

/** Silero looks at 32 ms at a time. */
export const SPEECH_FRAME_SAMPLES = 512

/** One gain holds for this long: 160 frames, 5.12 s. */
export const LEVEL_BLOCK_SAMPLES = 160 * SPEECH_FRAME_SAMPLES

/** What is asked of the detector's process at once: 30.72 s, less than a tenth of a second of its time. */
export const ASKED_SAMPLES = 6 * LEVEL_BLOCK_SAMPLES
