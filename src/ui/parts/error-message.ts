// An error as a sentence for the user: the server's own words if it refused the request.

import { Unreachable } from '../server/request.ts'
import { strings } from '../strings/strings.ts'

export function textOfError(error: unknown): string {
  if (error instanceof Unreachable) return strings.value.shell.offline
  return error instanceof Error ? error.message : String(error)
}
