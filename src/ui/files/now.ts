import { useEffect, useState } from 'preact/hooks'

/** performance.now(), re-rendered once a second. */
export function useNow(): number {
  const [now, tell] = useState(performance.now())
  useEffect(() => {
    const timer = setInterval(() => tell(performance.now()), 1000)
    return () => clearInterval(timer)
  }, [])
  return now
}
