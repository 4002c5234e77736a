// Values of options that several commands share.

import { UsageError } from './terminal/failure.ts'

/**
 * Evaluates several options, so that all errors are reported together.
 * @throws UsageError with a line for each invalid option
 */
export function allOf<T extends object>(parts: { [Name in keyof T]: () => T[Name] }): T {
  const faults: string[] = []
  const read = Object.entries<() => unknown>(parts).map(([name, part]) => {
    try {
      return [name, part()]
    } catch (error) {
      if (!(error instanceof UsageError)) throw error
      faults.push(error.message)
      return [name, undefined]
    }
  })
  if (faults.length > 0) throw new UsageError(faults.join('\n'))
  return Object.fromEntries(read)
}

export function secondsOf(name: string, value: string | undefined, fallback: number): number {
  if (value === undefined) return fallback
  const seconds = Number(value)
  if (Number.isFinite(seconds) && seconds >= 0) return seconds
  throw new UsageError(`--${name} must be a number of seconds, not ${value}.`)
}

/**
 * A day (the server takes its beginning in its own time zone), `2026-01-31T12:00:00Z`, or an age: `90m`, `24h`, `7d`.
 */
export function momentOption(name: string, value: string | undefined, now = new Date()): string | undefined {
  if (value === undefined) return undefined
  const [, count, unit] = /^(\d+)([mhd])$/.exec(value) ?? []
  if (count !== undefined) {
    const unitMs = { m: 60_000, h: 3_600_000, d: 86_400_000 }[unit as 'm' | 'h' | 'd']
    return new Date(now.getTime() - Number(count) * unitMs).toISOString()
  }
  if (/^\d{4}-\d\d-\d\d$/.test(value)) return value
  const moment = new Date(value)
  if (/^\d{4}-\d\d-\d\d/.test(value) && !Number.isNaN(moment.getTime())) return moment.toISOString()
  throw new UsageError(
    `--${name} must be a day such as 2026-01-31, a time, or an age such as 7d, 24h or 90m.`,
  )
}
