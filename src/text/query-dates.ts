// Dates in a search query: before:, on: or after: with a day, a month, a year, today or yesterday.

import { TOKENS, withPlainQuotes } from './query-operators.ts'

export type QueryDate = {
  operator: 'before' | 'on' | 'after'
  /** today, yesterday, or digits that may be no date */
  value: string
}

/** A colon before another word is punctuation. */
const DATE = /^(before|on|after):(today|yesterday|\d.*)$/i

/** `isAmbiguous`: an OR is next to a date, which always applies to the whole query. */
export function parseDates(query: string): { words: string; dates: QueryDate[]; isAmbiguous: boolean } {
  const tokens = withPlainQuotes(query).match(TOKENS) ?? []
  const isDate = (token: string | undefined) => token !== undefined && DATE.test(token)
  if (!tokens.some(isDate)) return { words: query, dates: [], isAmbiguous: false }
  return {
    words: tokens.filter((token) => !isDate(token)).join(' '),
    dates: tokens.flatMap((token) => {
      const [, operator, value] = DATE.exec(token.toLowerCase()) ?? []
      return operator === undefined ? [] : [{ operator, value } as QueryDate]
    }),
    isAmbiguous: tokens.some(
      (token, at) => token === 'OR' && (isDate(tokens[at - 1]) || isDate(tokens[at + 1])),
    ),
  }
}
