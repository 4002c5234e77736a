// The secret that the server gives this tab for its token. It goes into headers, never into a cookie, which every port
// of this computer would be sent. What cannot send a header is ticket.ts.

import { signal } from '@preact/signals'

/** The documentation at /docs reads it too. */
const KEPT = 'dictation.session'

/** A browser may keep nothing for a page; then the secret lasts as long as the page is open. */
let secret = kept()

function kept(): string | null {
  try {
    return sessionStorage.getItem(KEPT)
  } catch {
    return null
  }
}

export const hasSession = (): boolean => secret !== null

export const authorization = (): Record<string, string> =>
  secret === null ? {} : { authorization: `Bearer ${secret}` }

/** Whether the server wants its token before it answers anything more. */
export const isTokenWanted = signal(false)

/** @param given null where the server wants no token after all */
export function beginSession(given: string | null): void {
  secret = given
  try {
    if (given !== null) sessionStorage.setItem(KEPT, given)
  } catch {
    // Memory keeps it.
  }
  isTokenWanted.value = false
}

/** Resolves at once where no token is wanted. */
export const isSignedIn = (): Promise<void> =>
  new Promise((resolve) => {
    const end = isTokenWanted.subscribe((wanted) => {
      if (wanted) return
      queueMicrotask(() => end())
      resolve()
    })
  })

/** To be called where the server answers 401: a session ends with the server, or after a week. */
export function endSession(): void {
  ended = secret
  secret = null
  try {
    sessionStorage.removeItem(KEPT)
  } catch {
    // There is none.
  }
  isTokenWanted.value = true
  tabs.postMessage('wanted')
}

/** Other tabs at this address and port: one that is signed in passes its secret on. */
const tabs = new BroadcastChannel(KEPT)
/** A tab that has not noticed yet would pass it on again. */
let ended: string | null = null

tabs.addEventListener('message', ({ data }: MessageEvent<'wanted' | { secret: string }>) => {
  if (data !== 'wanted') {
    if (isTokenWanted.value && data.secret !== ended) beginSession(data.secret)
  } else if (secret !== null) tabs.postMessage({ secret })
})
