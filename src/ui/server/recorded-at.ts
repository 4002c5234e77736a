// When something that is sent was recorded, as the server takes it.
// Where a clock was wrong it is left out: a recording must not be refused for its date.

export const recordedAt = (ms: number): { recorded_at?: string } =>
  ms > 0 && ms <= Date.now() ? { recorded_at: new Date(ms).toISOString() } : {}
