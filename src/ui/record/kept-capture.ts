// A capture as the server has it, kept up to date while work on it goes on.
// How it is shown is take-result.tsx's.

import { useEffect, useState } from 'preact/hooks'
import { ask } from '../server/ask.ts'
import { onServerEvent } from '../server/connection.ts'
import type { DetailedCapture } from '../server/wire.ts'

/** @returns null until it is known; `progress` is 0 to 1, null where nothing is told */
export function useKeptCapture(id: string | null): {
  capture: DetailedCapture | null
  progress: number | null
} {
  const [capture, show] = useState<DetailedCapture | null>(null)
  const [progress, advance] = useState<number | null>(null)
  useEffect(() => {
    if (id === null) return
    let isWanted = true
    const look = () =>
      ask<DetailedCapture>(`/captures/${id}`).then(
        (now) => isWanted && show(now),
        // What is gone, or cannot be asked now, stays as it was shown.
        () => {},
      )
    void look()
    const end = onServerEvent((event) => {
      if (event.name === 'reset') void look()
      else if (!('capture_id' in event) || event.capture_id !== id) return
      else if (event.name === 'job.progress') advance(event.progress)
      else if (event.name !== 'capture.deleted') void look()
    })
    return () => {
      isWanted = false
      end()
    }
  }, [id])
  return { capture: capture?.id === id ? capture : null, progress }
}
