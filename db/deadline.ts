// Limits the wait for a database that does not answer.

/** For one statement, enforced by the database itself. */
export const STATEMENT_DEADLINE_MS = 30_000
/** Longer than the database's own deadline, which ends a statement more cleanly. */
export const CALL_DEADLINE_MS = 40_000

export class DeadlineError extends Error {
  override name = 'DeadlineError'
}

/** Rejects if the result is late, or soon after `lost` fires without a result. */
export function beforeDeadline<T>(
  answer: Promise<T>,
  { timeoutMs, lost, graceMs }: { timeoutMs: number; lost: AbortSignal; graceMs: number },
): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const giveUp = () => reject(new DeadlineError('the database does not answer'))
  let timer = setTimeout(giveUp, timeoutMs)
  const hurry = () => {
    clearTimeout(timer)
    timer = setTimeout(giveUp, graceMs)
  }
  if (lost.aborted) hurry()
  lost.addEventListener('abort', hurry, { once: true })
  return Promise.race([answer, promise]).finally(() => {
    clearTimeout(timer)
    lost.removeEventListener('abort', hurry)
  })
}
