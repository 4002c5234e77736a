// The time by performance.now(), for what is told of work that goes on.
// What is told is each component's own.

import { useEffect, useState } from 'preact/hooks'

/** Draws again once a second. */
export function useNow(): number {
  const [now, tell] = useState(performance.now())
  useEffect(() => {
    const timer = setInterval(() => tell(performance.now()), 1000)
    return () => clearInterval(timer)
  }, [])
  return now
}
