// Formats numbers with units in the language of the page.

import { numberFormat } from './formats.ts'

type Unit = 'kilobyte' | 'megabyte' | 'gigabyte' | 'second' | 'minute' | 'hour' | 'percent'

function withUnit(value: number, unit: Unit, digits: number): string {
  return numberFormat({ style: 'unit', unit, unitDisplay: 'short', maximumFractionDigits: digits }).format(
    value,
  )
}

export const figure = (value: number, digits = 0): string =>
  numberFormat({ maximumFractionDigits: digits }).format(value)

/** In kB below a megabyte, in GB from a gigabyte on. */
export function megabytes(mb: number): string {
  if (mb < 1) return withUnit(Math.ceil(mb * 1000), 'kilobyte', 0)
  return mb >= 1000 ? withUnit(mb / 1000, 'gigabyte', 1) : withUnit(mb, 'megabyte', mb < 10 ? 1 : 0)
}

/** In the largest unit and the one below it: 3 h 5 min, 42 s. */
export function timeSpan(seconds: number): string {
  if (seconds < 60) return withUnit(seconds, 'second', seconds < 10 ? 1 : 0)
  const minutes = Math.round(seconds / 60)
  if (minutes < 60) return withUnit(minutes, 'minute', 0)
  const rest = minutes % 60
  const hours = withUnit(Math.floor(minutes / 60), 'hour', 0)
  return rest === 0 ? hours : `${hours} ${withUnit(rest, 'minute', 0)}`
}

export const percentage = (percent: number): string => withUnit(percent, 'percent', 0)

/** @param share 0 to 1 */
export const percentText = (share: number): string => numberFormat({ style: 'percent' }).format(share)
