// A value that is typed, a moment after the last key: for what is asked of the server while somebody types.
// Asking is asked.tsx's.

import { useEffect, useState } from 'preact/hooks'

/** Longer than the pause between two keys. */
const PAUSE_MS = 200

export function useDelayed<T>(value: T): T {
  const [settled, settle] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => settle(value), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [value])
  return settled
}
