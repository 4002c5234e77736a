// Whether the server responded to the latest request. Set by request.ts and connection.ts; connection.ts also retries.

import { signal } from '@preact/signals'

export const isReachable = signal(true)

/** Resolves at once if the server responds. */
export const serverIsBack = (): Promise<void> =>
  new Promise((resolve) => {
    const end = isReachable.subscribe((reachable) => {
      if (!reachable) return
      queueMicrotask(() => end())
      resolve()
    })
  })
