// One question that is asked before the code that will ask it is here.
// What is made of the answer is ask.ts's.

import { authorization } from './session.ts'

/** Longer than any code takes to come; what is older might be another by now. */
const FRESH_MS = 5000

let asked: { path: string; response: Promise<Response>; at: number } | null = null

export function askAhead(path: string): void {
  const response = fetch(path, { headers: { accept: 'application/json', ...authorization() } })
  // Whoever asks is told.
  response.catch(() => {})
  asked = { path, response, at: performance.now() }
}

/** Its answer, once. */
export function takeAhead(path: string): Promise<Response> | null {
  if (asked === null || asked.path !== path) return null
  const { response, at } = asked
  asked = null
  return performance.now() - at < FRESH_MS ? response : null
}
