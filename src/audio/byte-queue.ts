// A FIFO of bytes that returns them in one piece, whatever pieces they arrived in.

export type ByteQueue = {
  /** copies the bytes */
  push(bytes: Uint8Array): void
  length(): number
  /** the first bytes, fewer if fewer are queued; only valid until the next push or skip */
  peek(length: number): Uint8Array
  /** the first bytes, copied and removed */
  take(length: number): Uint8Array
  skip(length: number): void
}

const MIN_BYTES = 64 * 1024

export function createByteQueue(): ByteQueue {
  let held = new Uint8Array(MIN_BYTES)
  let from = 0
  let to = 0

  /**
   * At least doubles the capacity, so that a byte is copied a constant number of times however small the pieces are.
   */
  const makeRoom = (more: number) => {
    const unread = to - from
    const isHalfFree = (unread + more) * 2 <= held.length
    const roomy = isHalfFree ? held : new Uint8Array(2 * (unread + more))
    roomy.set(held.subarray(from, to))
    held = roomy
    from = 0
    to = unread
  }

  const skip = (length: number) => {
    from = Math.min(to, from + length)
    if (from < to) return
    from = to = 0
    if (held.length > MIN_BYTES) held = new Uint8Array(MIN_BYTES)
  }

  return {
    push(bytes) {
      if (to + bytes.length > held.length) makeRoom(bytes.length)
      held.set(bytes, to)
      to += bytes.length
    },
    length: () => to - from,
    peek: (length) => held.subarray(from, Math.min(to, from + length)),
    take(length) {
      const taken = held.slice(from, Math.min(to, from + length))
      skip(length)
      return taken
    },
    skip,
  }
}
