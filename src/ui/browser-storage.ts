// Key-value storage of this browser for preferences and drafts. If the browser refuses, values last until the page
// closes, and the shell shows a notice.

import { signal } from '@preact/signals'

/** The browser stores nothing for this page: site data is blocked, or the storage is full. */
export const isForgetful = signal(false)

const untilClosed = new Map<string, string>()

/** Accessing `localStorage` throws if site data is blocked. */
function attempt<T>(work: () => T): T | null {
  try {
    return work()
  } catch {
    isForgetful.value = true
    return null
  }
}

export const remembered = (name: string): string | null =>
  untilClosed.get(name) ?? attempt(() => localStorage.getItem(name))

export function remember(name: string, value: string): void {
  untilClosed.set(name, value)
  attempt(() => {
    localStorage.setItem(name, value)
    untilClosed.delete(name)
  })
}

export function forget(name: string): void {
  untilClosed.delete(name)
  attempt(() => localStorage.removeItem(name))
}
