// One question that is asked before the code that will ask it is here.
// What is made of the answer is ask.ts's.

import { authorization, currentSession } from './session.ts'

/** Longer than any code takes to come; what is older might be another by now. */
const FRESH_MS = 5000

type Ahead = {
  response: Promise<Response>
  /** the one that the request was sent with */
  session: string | null
}

let asked: (Ahead & { path: string; at: number }) | null = null

export function askAhead(path: string): void {
  const session = currentSession()
  const response = fetch(path, { headers: { accept: 'application/json', ...authorization(session) } })
  // Whoever asks is told.
  response.catch(() => {})
  asked = { path, response, session, at: performance.now() }
}

/** Its answer, once. */
export function takeAhead(path: string): Ahead | null {
  if (asked === null || asked.path !== path) return null
  const ahead = asked
  asked = null
  return performance.now() - ahead.at < FRESH_MS ? ahead : null
}
