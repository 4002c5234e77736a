// The encoder: log-mel of a window to what the decoder listens to.
// Knows neither tokens nor text.

/** 3000 frames of mel make 1500 of the encoder, each 20 ms. */
export const MEL_FRAMES_PER_FRAME = 2

export type Encoder = {
  /**
   * @param mel byte of the log-mel in the kernels' memory: f32 [2 · frames][melBands], frame after frame
   * @param frames at most the model's audioFrames; fewer for a trimmed window
   * @returns byte of f32 [frames][audioWidth], valid until the next call
   */
  encode(mel: number, frames: number): Promise<number>
}
