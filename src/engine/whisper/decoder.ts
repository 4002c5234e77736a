// The decoder: what comes next after some tokens, given an encoded window.
// Chooses nothing: which token is taken is decoding's.

/** One step of a sequence: the tokens that are appended to it. */
export type Step = { slot: number; tokens: readonly number[] }

/** Cross-attention of the alignment heads, softmaxed: [tokens][heads][frames]. */
export type Alignment = { tokens: number; heads: number; frames: number; weights: Float32Array }

export type Decoder = {
  /** how many sequences can be decoded side by side; memory is taken for those that are used */
  slots: number
  /** Listens to another window from now on: f32 [frames][audioWidth] in the kernels' memory. Empties all slots. */
  listen(encoded: number, frames: number): void
  frames(): number
  /** the sequence of the slot is empty from now on */
  reset(slot: number): void
  /** slot `to` becomes what slot `from` is */
  copy(from: number, to: number): void
  /** how many tokens the slot has */
  length(slot: number): number
  /**
   * Appends to the sequences of different slots.
   * @returns for each step the logits [vocabulary] after its last token; views that are valid until the next call
   * @throws RangeError when a sequence would become longer than the model's textTokens
   */
  advance(steps: readonly Step[]): Float32Array[]
  /** of the tokens from position `from` on */
  alignment(slot: number, from: number): Alignment
}
