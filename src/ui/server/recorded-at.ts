// The recording date in the server's format. Omitted if the clock was wrong: a recording must not be rejected for its
// date.

export const recordedAt = (ms: number): { recorded_at?: string } =>
  ms > 0 && ms <= Date.now() ? { recorded_at: new Date(ms).toISOString() } : {}
