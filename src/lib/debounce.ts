// Debounces work: many requests result in one run after a delay, and two runs never overlap.
// The work reports its own failures; it must not throw.

export type Debounced = {
  request(): void
  /** Runs requested work now and resolves when it is done. */
  flush(): Promise<void>
}

export function debounce(work: () => Promise<void>, delayMs: number): Debounced {
  let timer: Timer | null = null
  let running: Promise<void> = Promise.resolve()

  function flush(): Promise<void> {
    if (timer === null) return running
    clearTimeout(timer)
    timer = null
    running = running.then(work)
    return running
  }

  return {
    request() {
      timer ??= setTimeout(flush, delayMs).unref()
    },
    flush,
  }
}
