// What a call gives back where failing is expected: a value or a failure, never a throw.
// Not for bugs: those throw and end as a 500.

export type Result<T, F> = { ok: true; value: T } | { ok: false; failure: F }

export const succeed = <T>(value: T): { ok: true; value: T } => ({ ok: true, value })

export const fail = <F>(failure: F): { ok: false; failure: F } => ({ ok: false, failure })
