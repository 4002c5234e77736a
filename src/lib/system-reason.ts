// Why the operating system refused something, in its own words and without the path: paths are nobody's but the log's.
// What it means for the work is the caller's.

/** "permission denied (EACCES)"; null for an error that is not the system's, which is then a mistake in the code. */
export function systemReason(error: unknown): string | null {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return null
  // The lock of a folder is SQLite's; ERR_… are the runtime's own words for a wrong call.
  if (!/^(?:E(?!RR_)|SQLITE_)[A-Z0-9_]+$/.test(error.code)) return null
  const words = error.message.replace(`${error.code}: `, '').split(/, | '/)[0]?.trim() ?? ''
  return words === '' || words.includes('/') ? error.code : `${words} (${error.code})`
}

/** " (ECONNREFUSED)", to be put behind what failed on the way to another computer; empty where nothing is said. */
export function networkReason(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : null
  return typeof code === 'string' && /^\w{1,60}$/.test(code) ? ` (${code})` : ''
}
