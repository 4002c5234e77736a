// What this browser remembers for the page, by name: choices and drafts.
// Where the browser refuses to, the page remembers it until it is closed, and the shell says so.

import { signal } from '@preact/signals'

/** The browser stores nothing for this page: site data is blocked, or the storage is full. */
export const isForgetful = signal(false)

const untilClosed = new Map<string, string>()

/** Merely naming `localStorage` throws where site data is blocked. */
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
