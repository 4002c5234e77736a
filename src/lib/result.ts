// The return value of a call that may fail: a value or a failure. Bugs throw instead and end as a 500.

export type Result<T, F> = { ok: true; value: T } | { ok: false; failure: F }

export const succeed = <T>(value: T): { ok: true; value: T } => ({ ok: true, value })

export const fail = <F>(failure: F): { ok: false; failure: F } => ({ ok: false, failure })
