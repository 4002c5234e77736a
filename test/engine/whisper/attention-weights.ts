// Cross-attention as a whole array, f32 [tokens][heads][frames], for tests.

import type { CrossAttention } from '../../../src/engine/whisper/decoder.ts'

export type AttentionWeights = { tokens: number; heads: number; frames: number; weights: Float32Array }

export const attentionOf = ({ weights, ...shape }: AttentionWeights): CrossAttention => ({
  ...shape,
  read(token, head, to) {
    const at = (token * shape.heads + head) * shape.frames
    to.set(weights.subarray(at, at + to.length))
  },
})

export const weightsOf = ({ tokens, heads, frames, read }: CrossAttention): Float32Array => {
  const weights = new Float32Array(tokens * heads * frames)
  for (let row = 0; row < tokens * heads; row += 1)
    read(Math.floor(row / heads), row % heads, weights.subarray(row * frames, (row + 1) * frames))
  return weights
}
