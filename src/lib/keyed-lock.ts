// One thing at a time for each key, in the order asked, within this process.
// Not between processes: that is lock.ts.

export type KeyedLock = <T>(key: string, work: () => Promise<T>) => Promise<T>

/** Work under one key never overlaps; other keys go on. A failure passes to its caller alone. */
export function createKeyedLock(): KeyedLock {
  const last = new Map<string, Promise<unknown>>()
  return (key, work) => {
    const before = last.get(key) ?? Promise.resolve()
    const mine = before.then(work, work)
    last.set(key, mine)
    const forget = () => {
      if (last.get(key) === mine) last.delete(key)
    }
    mine.then(forget, forget)
    return mine
  }
}
