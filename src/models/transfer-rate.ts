// Transfer rate over the last seconds, and the estimated remaining time.

const WINDOW_MS = 5000

export function createTransferRate() {
  const samples: { atMs: number; bytes: number }[] = []
  return {
    /** @param bytes of the file so far; a lower value than before resets the measurement */
    add(atMs: number, bytes: number): void {
      if (bytes < (samples.at(-1)?.bytes ?? 0)) samples.length = 0
      samples.push({ atMs, bytes })
      while (samples.length > 2 && atMs - samples[1]!.atMs > WINDOW_MS) samples.shift()
    },
    /** null before the second sample */
    bytesPerSecond(): number | null {
      const [first, last] = [samples[0], samples.at(-1)]
      if (!first || !last || last.atMs <= first.atMs) return null
      return Math.round(((last.bytes - first.bytes) * 1000) / (last.atMs - first.atMs))
    },
  }
}

export const secondsLeft = (missingBytes: number, bytesPerSecond: number | null): number | null =>
  bytesPerSecond ? Math.ceil(missingBytes / bytesPerSecond) : null
