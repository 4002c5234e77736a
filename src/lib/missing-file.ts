// Tells an error that says "there is no such file or folder" from every other.
// What that means is the caller's.

export const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ENOENT'
