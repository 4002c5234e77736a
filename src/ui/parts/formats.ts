// Numbers, sizes, dates and durations in the language of the page. Intl formatters are cached. Creating one takes longer than rendering a row of a list, and a
// list has hundreds.

import { pageLocale } from '../strings/strings.ts'

const numberFormats = new Map<string, Intl.NumberFormat>()
const momentFormats = new Map<string, Intl.DateTimeFormat>()

function cached<Format>(
  formats: Map<string, Format>,
  options: object,
  make: (language: string) => Format,
): Format {
  const language = pageLocale.value
  const key = `${language} ${JSON.stringify(options)}`
  const format = formats.get(key) ?? make(language)
  formats.set(key, format)
  return format
}

const numberFormat = (options: Intl.NumberFormatOptions): Intl.NumberFormat =>
  cached(numberFormats, options, (language) => new Intl.NumberFormat(language, options))

const momentFormat = (options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat =>
  cached(momentFormats, options, (language) => new Intl.DateTimeFormat(language, options))

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

const two = (value: number): string => String(value).padStart(2, '0')

/** A position in a recording or its length: `0:07`, `1:02:03`. */
export function clockTime(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds))
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60]
  return hours > 0 ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`
}

/** "Today" and "yesterday" only if the language has a word for the day. */
export function momentText(iso: string, now = new Date()): string {
  const moment = new Date(iso)
  const isToday = moment.toDateString() === now.toDateString()
  const isThisYear = moment.getFullYear() === now.getFullYear()
  return momentFormat({
    ...(!isToday && { day: 'numeric', month: 'short' }),
    ...(!isThisYear && { year: 'numeric' }),
    hour: 'numeric',
    minute: '2-digit',
  }).format(moment)
}

export const wholeMomentText = (iso: string): string =>
  momentFormat({ dateStyle: 'full', timeStyle: 'short' }).format(new Date(iso))

export const dateAndTime = (iso: string): string =>
  momentFormat({ dateStyle: 'medium', timeStyle: 'short' }).format(new Date(iso))
