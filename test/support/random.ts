// Deterministic pseudo-random numbers for test inputs.

/** Uniform from −1 to 1 (Marsaglia's xorshift, 2003). */
export const createRandom = (seed: number) => {
  let state = seed | 1
  return () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return state / 2 ** 31
  }
}
