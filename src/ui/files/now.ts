import { useEffect, useState } from 'preact/hooks'

/** performance.now(), re-rendered once a second. */
export function useNow(): number {
  const [now, setNow] = useState(performance.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(performance.now()), 1000)
    return () => clearInterval(timer)
  }, [])
  return now
}
