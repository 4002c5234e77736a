// Random words that the server gave away and knows again for a while: cookies of sessions, tickets for sockets.
// Keeps only their digests, which are of no use to whoever reads the memory; what each opens is access.ts's.

import { createHash, randomBytes } from 'node:crypto'
import type { Clock } from '../../lib/clock.ts'

export type IssuedSecrets = {
  issue(): { secret: string; expiresAt: Date }
  isValid(secret: string): boolean
  /** false where it was not valid any more */
  revoke(secret: string): boolean
}

/** The oldest make way: no number of sign-ins grows the memory. */
const MAX_SECRETS = 100

export function createIssuedSecrets({
  lifetimeMs,
  clock,
}: {
  lifetimeMs: number
  clock: Clock
}): IssuedSecrets {
  /** by the digest: when it ends */
  const issued = new Map<string, number>()
  const isValid = (secret: string) => {
    const endsAt = issued.get(keyOf(secret))
    return endsAt !== undefined && clock().getTime() < endsAt
  }
  return {
    issue() {
      const secret = randomBytes(32).toString('base64url')
      const endsAt = clock().getTime() + lifetimeMs
      issued.set(keyOf(secret), endsAt)
      const [oldest] = issued.keys()
      if (issued.size > MAX_SECRETS) issued.delete(oldest!)
      return { secret, expiresAt: new Date(endsAt) }
    },
    isValid,
    revoke: (secret) => isValid(secret) && issued.delete(keyOf(secret)),
  }
}

const keyOf = (secret: string): string => createHash('sha256').update(secret).digest('hex')
