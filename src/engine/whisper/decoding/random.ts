// A seeded generator of random numbers: the same seed draws the same tokens on every machine.
// Not for anything that must be hard to guess.

/** Marsaglia's xorshift of 32 bits. @returns numbers from 0 to below 1 */
export const createRandom = (seed: number) => {
  // the state must not be 0, and close seeds must not begin alike
  let state = Math.imul(seed + 1, 0x9e3779b1) >>> 0 || 1
  return () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) / 2 ** 32
  }
}
