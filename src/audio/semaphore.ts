// A counting semaphore: admits `limit` callers at a time, in order of arrival.

export type Semaphore = {
  /** @returns a function that releases the slot, or null if the signal aborted first */
  acquire(signal: AbortSignal): Promise<(() => void) | null>
  /** resolves when no slot is taken */
  idle(): Promise<void>
}

export function createSemaphore(limit: number): Semaphore {
  const waiting: (() => void)[] = []
  const idlers: (() => void)[] = []
  let taken = 0

  function release(): void {
    taken--
    waiting.shift()?.()
    if (taken === 0) for (const resolve of idlers.splice(0)) resolve()
  }

  return {
    async acquire(signal) {
      if (signal.aborted) return null
      if (taken >= limit) {
        const { promise, resolve } = Promise.withResolvers<'admitted' | 'aborted'>()
        const admit = () => {
          // Counted here, so that no other caller takes the slot first.
          taken++
          resolve('admitted')
        }
        const onAbort = () => {
          const index = waiting.indexOf(admit)
          // Already admitted: the caller gets the slot and releases it.
          if (index === -1) return
          waiting.splice(index, 1)
          resolve('aborted')
        }
        waiting.push(admit)
        signal.addEventListener('abort', onAbort, { once: true })
        const outcome = await promise
        signal.removeEventListener('abort', onAbort)
        return outcome === 'admitted' ? release : null
      }
      taken++
      return release
    },
    async idle() {
      if (taken > 0) await new Promise<void>((resolve) => idlers.push(resolve))
    },
  }
}
