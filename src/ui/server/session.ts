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

/** The one to send a request with, and to name to `endSession` if the server refuses it. */
export const currentSession = (): string | null => secret

export const authorization = (session: string | null): Record<string, string> =>
  session === null ? {} : { authorization: `Bearer ${session}` }

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

/**
 * To be called where the server answers 401: a session ends with the server, or after a week.
 * @param used what the request was sent with; an answer to an earlier session says nothing of this one
 */
export function endSession(used: string | null): void {
  if (used !== secret) return
  if (secret !== null) ended = secret
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
