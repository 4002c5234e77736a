// Reads a body from the first moment, so that the bytes that have arrived survive a broken connection. Bun drops unread
// bytes when the connection breaks (measured: 70 kB of a recording, whose fields were checked for 3 ms first).

import { createNotifier } from '../../lib/notifier.ts'
import { isWorthDraining, waitOrCancel } from '../contract/drain-body.ts'

export type BodyAhead = AsyncIterable<Uint8Array> & {
  /** discards the rest; resolves when the client has sent everything, or when waiting for it is not worthwhile */
  drain(): Promise<void>
}

/** Maximum of bytes that are buffered before they are consumed. */
const AHEAD_BYTES = 1024 * 1024

/** If the connection breaks, the iterator yields the bytes that had arrived, and then throws the error. */
export function readAhead(request: Request): BodyAhead {
  const reader = request.body?.getReader()
  const held: Uint8Array[] = []
  let heldBytes = 0
  let isWanted = true
  let over: { broken: unknown } | 'ended' | null = reader ? null : 'ended'
  const { notify, next: changed } = createNotifier()

  async function pump(): Promise<void> {
    try {
      while (over === null) {
        const { done, value } = await reader!.read()
        if (done) break
        if (!isWanted) continue
        held.push(value)
        heldBytes += value.length
        notify()
        while (heldBytes >= AHEAD_BYTES && over === null) await changed()
      }
      over ??= 'ended'
    } catch (error) {
      over ??= { broken: error }
    }
    notify()
  }
  const pumped = reader ? pump() : Promise.resolve()

  const discard = (): void => {
    isWanted = false
    held.length = heldBytes = 0
    notify()
  }
  const cancel = (): void => {
    over ??= 'ended'
    notify()
    // The client may already have disconnected.
    reader?.cancel().catch(() => {})
  }
  const drain = async (): Promise<void> => {
    discard()
    if (over === null && isWorthDraining(request)) await waitOrCancel(pumped, cancel)
    cancel()
  }
  const next = async (): Promise<IteratorResult<Uint8Array, undefined>> => {
    while (held.length === 0 && over === null) await changed()
    const value = held.shift()
    if (value === undefined) {
      if (over !== null && over !== 'ended') throw over.broken
      return { done: true, value: undefined }
    }
    heldBytes -= value.length
    notify()
    return { done: false, value }
  }
  const end = async () => {
    discard()
    return { done: true as const, value: undefined }
  }
  return { drain, [Symbol.asyncIterator]: () => ({ next, return: end }) }
}
