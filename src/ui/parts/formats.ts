// Cached Intl formatters in the language of the page. Creating one takes longer than rendering a row of a list, and a
// list has hundreds.

import { pageLanguage } from '../strings/strings.ts'

const numberFormats = new Map<string, Intl.NumberFormat>()
const momentFormats = new Map<string, Intl.DateTimeFormat>()

function cached<Format>(
  formats: Map<string, Format>,
  options: object,
  make: (language: string) => Format,
): Format {
  const language = pageLanguage.value
  const key = `${language} ${JSON.stringify(options)}`
  const format = formats.get(key) ?? make(language)
  formats.set(key, format)
  return format
}

export const numberFormat = (options: Intl.NumberFormatOptions): Intl.NumberFormat =>
  cached(numberFormats, options, (language) => new Intl.NumberFormat(language, options))

export const momentFormat = (options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat =>
  cached(momentFormats, options, (language) => new Intl.DateTimeFormat(language, options))
