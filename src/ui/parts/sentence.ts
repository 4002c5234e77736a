// What went wrong in a sentence for a person: in the server's own words where it refused.
// Where it is shown is each view's own, or toasts.tsx's.

import { Unreachable } from '../server/ask.ts'
import { strings } from '../strings/strings.ts'

export function sentenceOf(error: unknown): string {
  if (error instanceof Unreachable) return strings.value.shell.offline
  return error instanceof Error ? error.message : String(error)
}
