// Cuts bytes that arrive piece by piece at whole samples: programs send what their buffers hold.
// Knows nothing of what a sample is but its size.

/** @returns the whole samples so far; what is left over waits for the next bytes */
export function createWholeSamples(sampleBytes: number): (bytes: Uint8Array) => Uint8Array {
  let left: Uint8Array = new Uint8Array()
  return (bytes) => {
    const all = left.length === 0 ? bytes : Buffer.concat([left, bytes])
    const end = all.length - (all.length % sampleBytes)
    left = all.slice(end)
    return all.subarray(0, end)
  }
}
