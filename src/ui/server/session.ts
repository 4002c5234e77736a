// The session secret that the server issues in exchange for its token. Sent in a header, never in a cookie, because the
// browser sends cookies to every port of this computer. Requests that cannot set a header use ticket.ts.

import { signal } from '@preact/signals'

/** The documentation at /docs reads it too. */
const KEPT = 'dictation.session'

/** If the browser stores nothing for the page, the secret lasts until the page closes. */
let secret = storedSecret()

function storedSecret(): string | null {
  try {
    return sessionStorage.getItem(KEPT)
  } catch {
    return null
  }
}

export const hasSession = (): boolean => secret !== null

/** The secret to send a request with, and to pass to `endSession` if the server rejects it. */
export const currentSession = (): string | null => secret

export const authorization = (session: string | null): Record<string, string> =>
  session === null ? {} : { authorization: `Bearer ${session}` }

/** Whether the server requires its token. */
export const isTokenWanted = signal(false)

/** @param given null if the server requires no token after all */
export function beginSession(given: string | null): void {
  secret = given
  try {
    if (given !== null) sessionStorage.setItem(KEPT, given)
  } catch {
    // The secret stays in memory.
  }
  isTokenWanted.value = false
}

/** Resolves at once if no token is required. */
export const isSignedIn = (): Promise<void> =>
  new Promise((resolve) => {
    const end = isTokenWanted.subscribe((wanted) => {
      if (wanted) return
      queueMicrotask(() => end())
      resolve()
    })
  })

/**
 * Call when the server returns 401: a session ends when the server stops, or after a week.
 * @param used the secret that the request was sent with; a 401 for an earlier session does not affect the current one
 */
export function endSession(used: string | null): void {
  if (used !== secret) return
  if (secret !== null) ended = secret
  secret = null
  try {
    sessionStorage.removeItem(KEPT)
  } catch {
    // Nothing was stored.
  }
  isTokenWanted.value = true
  tabs.postMessage('wanted')
}

/** Other tabs of this origin: a signed-in tab passes its secret on. */
const tabs = new BroadcastChannel(KEPT)
/** The secret that has expired: a tab that has not noticed yet would pass it on again. */
let ended: string | null = null

tabs.addEventListener('message', ({ data }: MessageEvent<'wanted' | { secret: string }>) => {
  if (data !== 'wanted') {
    if (isTokenWanted.value && data.secret !== ended) beginSession(data.secret)
  } else if (secret !== null) tabs.postMessage({ secret })
})
