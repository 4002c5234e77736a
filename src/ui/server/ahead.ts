// Starts one request before the code that needs it has loaded.

import { authorization, currentSession } from './session.ts'

/** Longer than any code takes to load; an older response may be out of date. */
const FRESH_MS = 5000

type Ahead = {
  response: Promise<Response>
  /** the session that the request was sent with */
  session: string | null
}

let asked: (Ahead & { path: string; at: number }) | null = null

export function askAhead(path: string): void {
  const session = currentSession()
  const response = fetch(path, { headers: { accept: 'application/json', ...authorization(session) } })
  // The consumer handles the rejection.
  response.catch(() => {})
  asked = { path, response, session, at: performance.now() }
}

/** The prefetched response; can be taken once. */
export function takeAhead(path: string): Ahead | null {
  if (asked === null || asked.path !== path) return null
  const ahead = asked
  asked = null
  return performance.now() - ahead.at < FRESH_MS ? ahead : null
}
