// A sliding buffer over a body that is still arriving: filled at one end, consumed at the other.

import { collectGarbageEvery } from '../../lib/garbage.ts'
import { MultipartFault } from './multipart-fault.ts'

/**
 * Collect garbage after this many bytes. Chunks become garbage at once, but with a large heap Bun let 250 MB of
 * them pile up (measured). The collection costs no measurable time.
 */
const COLLECT_BYTES = 32 * 1024 * 1024

export type ByteWindow = ReturnType<typeof createWindow>

export function createWindow(source: ReadableStream<Uint8Array> | null) {
  const reader = source?.getReader()
  let window: Buffer = Buffer.alloc(0)
  // Remembered, because the code that stores the file may have caught it. The rest of the window is then no valid form.
  let fault: MultipartFault | null = null

  const leaveBehind = collectGarbageEvery(COLLECT_BYTES, 'meanwhile')

  async function fill(): Promise<void> {
    const chunk = await readChunk()
    if (fault !== null) throw fault
    if (chunk !== null) window = window.length === 0 ? asBuffer(chunk) : Buffer.concat([window, chunk])
  }

  async function readChunk(): Promise<Uint8Array | null> {
    try {
      const result = await reader?.read()
      if (result && !result.done) {
        leaveBehind(result.value.length)
        return result.value
      }
      fault ??= new MultipartFault('body_interrupted', 'The body ended before its closing delimiter.')
    } catch {
      fault ??= new MultipartFault('body_interrupted', 'The connection broke while the body was arriving.')
    }
    return null
  }

  const shift = (count: number): Buffer => {
    const taken = window.subarray(0, count)
    window = window.subarray(count)
    return taken
  }

  return {
    fill,
    shift,
    length: () => window.length,
    indexOf: (needle: Buffer) => window.indexOf(needle),
    /** How many of the last bytes may be the start of the needle. Usually none, and then nothing is copied. */
    beginningOf(needle: Buffer): number {
      const from = Math.max(0, window.length - needle.length + 1)
      for (let at = window.indexOf(needle[0]!, from); at >= 0; at = window.indexOf(needle[0]!, at + 1)) {
        const end = window.subarray(at)
        if (needle.subarray(0, end.length).equals(end)) return end.length
      }
      return 0
    },
    prepend(bytes: Buffer) {
      window = Buffer.concat([bytes, window])
    },
    async take(count: number): Promise<string> {
      if (fault !== null) throw fault
      while (window.length < count) await fill()
      return shift(count).toString('latin1')
    },
    /** Returns the bytes before the needle and drops the needle; null when it comes after `maxBytes`. */
    async takeUntil(needle: Buffer, maxBytes: number): Promise<Buffer | null> {
      for (;;) {
        const at = window.indexOf(needle)
        if (at > maxBytes || (at < 0 && window.length > maxBytes + needle.length)) return null
        if (at >= 0) {
          const before = shift(at)
          shift(needle.length)
          return before
        }
        await fill()
      }
    },
    /** Reads to the end of the body, so that the connection can be reused; gives up after `maxBytes`. */
    async skip(maxBytes: number): Promise<void> {
      for (let bytes = window.length; bytes <= maxBytes; ) {
        const chunk = await readChunk()
        if (chunk === null) return
        bytes += chunk.length
      }
    },
    /** Stops the sender; has no effect when the body has been read to its end. */
    async cancel(): Promise<void> {
      await reader?.cancel().catch(() => undefined)
    },
  }
}

const asBuffer = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
