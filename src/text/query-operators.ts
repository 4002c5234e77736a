// The operators of a search query: a minus excludes a word or a phrase, OR between two of them finds either.

export type OperatorQuery = {
  /** all of them must match; one with several entries matches by any of them, others may have several words */
  groups: string[][]
  /** words and phrases that no match contains */
  excluded: string[]
  /** the query without operators and excluded words */
  plain: string
}

const TYPOGRAPHIC_QUOTES = /[“”„‟«»]/g
/** A word, or a phrase in quotation marks. */
export const TOKENS = /-?"[^"]*"?|[^"\s]+/g
/** A minus before a number is its sign. */
const EXCLUDES = /^-(?=["\p{L}])/u

export const withPlainQuotes = (query: string): string => query.replace(TYPOGRAPHIC_QUOTES, '"')

/** Operators without a word to apply to are words. */
export function parseOperators(query: string): OperatorQuery {
  const tokens = withPlainQuotes(query).match(TOKENS) ?? []
  const isExcluded = (token: string) => EXCLUDES.test(token)
  const wanted = tokens.filter((token) => !isExcluded(token))
  const excluded = wanted.every((token) => token === 'OR')
    ? []
    : tokens.filter(isExcluded).map((token) => token.slice(1))
  const positive = excluded.length === 0 ? tokens : wanted
  if (excluded.length === 0 && !positive.includes('OR')) return { groups: [[query]], excluded, plain: query }
  const groups: string[][] = []
  for (let at = 0; at < positive.length; at += 1) {
    const token = positive[at]!
    const isOperator = token === 'OR' && at > 0 && at + 1 < positive.length
    if (isOperator) groups.at(-1)!.push(positive[++at]!)
    else groups.push([token])
  }
  return { groups: joined(groups), excluded, plain: groups.flat().join(' ') }
}

/** Neighbouring words without an operator stay together: digits in groups of three are one number. */
function joined(groups: readonly string[][]): string[][] {
  const merged: string[][] = []
  for (const group of groups) {
    const last = merged.at(-1)
    if (last?.length === 1 && group.length === 1) merged[merged.length - 1] = [`${last[0]} ${group[0]}`]
    else merged.push(group)
  }
  return merged
}
