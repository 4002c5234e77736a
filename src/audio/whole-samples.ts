// Splits streamed bytes at sample boundaries, because programs send pieces of any size.

/** @returns a function that returns the complete samples so far and holds the rest for the next call */
export function createWholeSamples(sampleBytes: number): (bytes: Uint8Array) => Uint8Array {
  let left: Uint8Array = new Uint8Array()
  return (bytes) => {
    const all = left.length === 0 ? bytes : Buffer.concat([left, bytes])
    const end = all.length - (all.length % sampleBytes)
    left = all.slice(end)
    return all.subarray(0, end)
  }
}
