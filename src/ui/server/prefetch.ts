// Starts one request before the code that needs it has loaded.

import { authorization, currentSession } from './session.ts'

/** Longer than any code takes to load; an older response may be out of date. */
const FRESH_MS = 5000

type Prefetched = {
  response: Promise<Response>
  /** the session that the request was sent with */
  session: string | null
}

let prefetched: (Prefetched & { path: string; at: number }) | null = null

export function prefetch(path: string): void {
  const session = currentSession()
  const response = fetch(path, { headers: { accept: 'application/json', ...authorization(session) } })
  // The consumer handles the rejection.
  response.catch(() => {})
  prefetched = { path, response, session, at: performance.now() }
}

/** The prefetched response; can be taken once. */
export function takePrefetched(path: string): Prefetched | null {
  if (prefetched === null || prefetched.path !== path) return null
  const taken = prefetched
  prefetched = null
  return performance.now() - taken.at < FRESH_MS ? taken : null
}
