// Random secrets with a limited lifetime, for sessions and tickets. Only their digests are held in memory.

import { createHash, randomBytes } from 'node:crypto'

export type IssuedSecrets = {
  /** @param scope a secret is only valid for its scope */
  issue(scope?: string): { secret: string; expiresAt: Date }
  isValid(secret: string, scope?: string): boolean
  /** false if the secret was not valid */
  revoke(secret: string, scope?: string): boolean
}

/** The oldest secrets are dropped, so that sign-ins cannot grow the memory. */
const MAX_SECRETS = 1000

/** @param passedMs a monotonic clock: setting back a wall clock would extend the lifetime of a secret */
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
