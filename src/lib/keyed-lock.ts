// Runs work one at a time per key, in the order requested, within this process. lock.ts locks across processes.

export type KeyedLock = <T>(key: string, work: () => Promise<T>) => Promise<T>

/** Work under one key never overlaps; other keys proceed. A failure reaches only its own caller. */
export function createKeyedLock(): KeyedLock {
  const last = new Map<string, Promise<unknown>>()
  return (key, work) => {
    const before = last.get(key) ?? Promise.resolve()
    const mine = before.then(work, work)
    last.set(key, mine)
    const release = () => {
      if (last.get(key) === mine) last.delete(key)
    }
    mine.then(release, release)
    return mine
  }
}
