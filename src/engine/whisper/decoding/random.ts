// A seeded random number generator: the same seed draws the same tokens on every machine. Not for security.

/** Marsaglia's 32-bit xorshift. @returns numbers from 0 to below 1 */
export const createRandom = (seed: number) => {
  // the state must not be 0, and close seeds must start differently
  let state = Math.imul(seed + 1, 0x9e3779b1) >>> 0 || 1
  return () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) / 2 ** 32
  }
}
