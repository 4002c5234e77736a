// Random secrets that the server issues and accepts for a while: sessions and tickets.
// Stores only their digests, which are useless to a reader of the memory; access.ts decides what each opens.

import { createHash, randomBytes } from 'node:crypto'

export type IssuedSecrets = {
  /** @param scope what it opens; a secret of another scope does not */
  issue(scope?: string): { secret: string; expiresAt: Date }
  isValid(secret: string, scope?: string): boolean
  /** false where it was not valid any more */
  revoke(secret: string, scope?: string): boolean
}

/** The oldest are dropped: no number of sign-ins grows the memory. */
const MAX_SECRETS = 1000

/** @param passedMs a monotonic clock: a wall clock that is set back would extend the life of a secret */
export function createIssuedSecrets({
  lifetimeMs,
  passedMs = () => performance.now(),
}: {
  lifetimeMs: number
  passedMs?: (() => number) | undefined
}): IssuedSecrets {
  const issued = new Map<string, { endsAt: number; scope: string }>()
  const isValid = (secret: string, scope = '') => {
    const found = issued.get(keyOf(secret))
    return found !== undefined && found.scope === scope && passedMs() < found.endsAt
  }
  return {
    issue(scope = '') {
      const secret = randomBytes(32).toString('base64url')
      issued.set(keyOf(secret), { endsAt: passedMs() + lifetimeMs, scope })
      const [oldest] = issued.keys()
      if (issued.size > MAX_SECRETS) issued.delete(oldest!)
      return { secret, expiresAt: new Date(Date.now() + lifetimeMs) }
    },
    isValid,
    revoke: (secret, scope) => isValid(secret, scope) && issued.delete(keyOf(secret)),
  }
}

export const digestOf = (secret: string): Buffer => createHash('sha256').update(secret).digest()

const keyOf = (secret: string): string => digestOf(secret).toString('hex')
