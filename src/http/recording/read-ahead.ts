// Takes a body off its connection from the first moment, so that what came is there although the connection breaks.
// Bun drops what nobody has read when that happens (measured: 70 kB of a recording that was checked for 3 ms first).

import { createNotifier } from '../../lib/notifier.ts'
import { isWorthHearing, patiently } from '../contract/unwanted-body.ts'

export type BodyAhead = AsyncIterable<Uint8Array> & {
  /** nothing more of it is wanted; resolves when whoever sends it will listen, or is not worth the wait */
  hearOut(): Promise<void>
}

/** So much is held at most while nobody takes it. */
const AHEAD_BYTES = 1024 * 1024

/** What came before the connection broke is given first; then the reading throws what broke it. */
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

  const letGo = (): void => {
    isWanted = false
    held.length = heldBytes = 0
    notify()
  }
  const cancel = (): void => {
    over ??= 'ended'
    notify()
    // Whoever sends may have gone already.
    reader?.cancel().catch(() => {})
  }
  const hearOut = async (): Promise<void> => {
    letGo()
    if (over === null && isWorthHearing(request)) await patiently(pumped, cancel)
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
    letGo()
    return { done: true as const, value: undefined }
  }
  return { hearOut, [Symbol.asyncIterator]: () => ({ next, return: end }) }
}
