// A debounced value, for requests that depend on typed text.

import { useEffect, useState } from 'preact/hooks'

/** Longer than the pause between two keys. */
const PAUSE_MS = 200

export function useDebounced<T>(value: T): T {
  const [settled, settle] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => settle(value), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [value])
  return settled
}
