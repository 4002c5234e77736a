// The latest captures, which the navigation and the record view list; updated by server events.

import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { onServerEvent } from '../server/connection.ts'
import { request } from '../server/request.ts'
import type { ListedCapture, ListOf } from '../server/wire.ts'

/** Without the total, which takes longer than the rows. */
export const RECENT_PATH = '/captures?limit=5&offset=0&count=false'

/** null until loaded */
export const recentCaptures = signal<readonly ListedCapture[] | null>(null)

/** Several events in a row cause one request. */
const PAUSE_MS = 400

const load = (): Promise<void> =>
  request<ListOf<ListedCapture>>(RECENT_PATH).then(
    ({ items }) => {
      recentCaptures.value = items
    },
    // The shell reports an unreachable server, and reloads when it is back.
    () => {},
  )

export function useRecentCaptures(): void {
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    void load()
    const end = onServerEvent(({ name }) => {
      if (name !== 'reset' && !name.startsWith('capture.')) return
      clearTimeout(timer)
      timer = setTimeout(() => void load(), PAUSE_MS)
    })
    return () => {
      clearTimeout(timer)
      end()
    }
  }, [])
}
