// Operating system errors in words, without paths: paths belong in the log only.

/** "permission denied (EACCES)"; null for an error that is not the system's and therefore a bug. */
export function systemReason(error: unknown): string | null {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return null
  // SQLite locks the data folder, so its codes count. ERR_… codes are the runtime's, for a wrong call.
  if (!/^(?:E(?!RR_)|SQLITE_)[A-Z0-9_]+$/.test(error.code)) return null
  const words = error.message.replace(`${error.code}: `, '').split(/, | '/)[0]?.trim() ?? ''
  return words === '' || words.includes('/') ? error.code : `${words} (${error.code})`
}

/** " (ECONNREFUSED)", to append to the message of a failed network request; empty without a code. */
export function networkReason(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : null
  return typeof code === 'string' && /^\w{1,60}$/.test(code) ? ` (${code})` : ''
}
