// Whether the server answered when it was last asked.
// Set by ask.ts and connection.ts, which also asks again.

import { signal } from '@preact/signals'

export const isReachable = signal(true)

/** Resolves at once where it answers. */
export const serverIsBack = (): Promise<void> =>
  new Promise((resolve) => {
    const end = isReachable.subscribe((reachable) => {
      if (!reachable) return
      queueMicrotask(() => end())
      resolve()
    })
  })
