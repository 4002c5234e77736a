// A capture on the server, refreshed while its job runs.

import { signal } from '@preact/signals'
import { useEffect, useState } from 'preact/hooks'
import { offerUndo } from '../parts/toasts.tsx'
import { onServerEvent } from '../server/connection.ts'
import { request } from '../server/request.ts'
import type { DetailedCapture } from '../server/wire.ts'
import { strings } from '../strings/strings.ts'
import { cancelRecording, currentTake } from './recorder.ts'

/** @returns null until it is loaded; `progress` is 0 to 1, null while unknown */
export function useStoredCapture(id: string | null): {
  capture: DetailedCapture | null
  progress: number | null
} {
  const [capture, show] = useState<DetailedCapture | null>(null)
  const [progress, advance] = useState<number | null>(null)
  useEffect(() => {
    if (id === null) return
    let isWanted = true
    const look = () =>
      request<DetailedCapture>(`/captures/${id}`).then(
        (now) => isWanted && show(now),
        // A deleted or unreachable capture stays as last shown.
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

export const shownCapture = signal<string | null>(null)

export function showCapture(id: string): void {
  currentTake.value = null
  shownCapture.value = id
}

export function cancelWithUndo(): void {
  const restore = cancelRecording()
  if (restore === null) return
  const { record } = strings.value
  offerUndo(record.cancelledRecording, async () => {
    const id = await restore()
    if (id === null) throw new Error(record.notTakenBack)
    await request(`/captures/${id}/restore`, { method: 'POST' })
    showCapture(id)
  })
}
