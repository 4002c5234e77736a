// Lets so many callers in at a time, in the order they came.
// Knows nothing of what they do.

export type Turns = {
  /** @returns what gives the turn back, or null when the signal aborted first */
  take(signal: AbortSignal): Promise<(() => void) | null>
  /** resolves when nobody has a turn */
  idle(): Promise<void>
}

export function createTurns(limit: number): Turns {
  const waiting: (() => void)[] = []
  const idlers: (() => void)[] = []
  let taken = 0

  function release(): void {
    taken--
    waiting.shift()?.()
    if (taken === 0) for (const resolve of idlers.splice(0)) resolve()
  }

  return {
    async take(signal) {
      if (signal.aborted) return null
      if (taken >= limit) {
        const { promise, resolve } = Promise.withResolvers<'turn' | 'aborted'>()
        const onTurn = () => {
          // Counted at once, so that nobody slips in between.
          taken++
          resolve('turn')
        }
        const onAbort = () => {
          const place = waiting.indexOf(onTurn)
          // Let in a moment ago: the turn is taken, and given back by whoever awaits it.
          if (place === -1) return
          waiting.splice(place, 1)
          resolve('aborted')
        }
        waiting.push(onTurn)
        signal.addEventListener('abort', onAbort, { once: true })
        const outcome = await promise
        signal.removeEventListener('abort', onAbort)
        return outcome === 'turn' ? release : null
      }
      taken++
      return release
    },
    async idle() {
      if (taken > 0) await new Promise<void>((resolve) => idlers.push(resolve))
    },
  }
}
