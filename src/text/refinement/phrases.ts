// Finds phrases of one or more words in tokens, longest first, ignoring case.

import type { TextToken } from './tokens.ts'
import { tokenizeText } from './tokens.ts'

/** Phrases by first word, longest first; a phrase is the keys of its tokens without spaces. */
export type Phrases<T = true> = ReadonlyMap<string, readonly { keys: readonly string[]; value: T }[]>

export function compilePhrases<T>(entries: readonly (readonly [phrase: string, value: T])[]): Phrases<T> {
  const byFirst = new Map<string, { keys: string[]; value: T }[]>()
  for (const [phrase, value] of entries) {
    const keys = tokenizeText(phrase)
      .filter(({ kind }) => kind !== 'space')
      .map(({ key }) => key)
    const list = byFirst.get(keys[0]!) ?? []
    list.push({ keys, value })
    byFirst.set(keys[0]!, list)
  }
  for (const list of byFirst.values()) list.sort((a, b) => b.keys.length - a.keys.length)
  return byFirst
}

export const phraseSet = (phrases: readonly string[]): Phrases =>
  compilePhrases(phrases.map((one) => [one, true]))

export type Match<T> = { to: number; value: T }

/**
 * The longest phrase that begins with the token at `from`; `to` is the index after its last token. A space separates its
 * words, or with `acrossCommas` also a comma and a space ("no, wait").
 */
export function matchAt<T>(
  tokens: readonly TextToken[],
  from: number,
  phrases: Phrases<T>,
  acrossCommas = false,
): Match<T> | null {
  const candidates = tokens[from] && phrases.get(tokens[from].key)
  if (!candidates || tokens[from]!.kind === 'kept') return null
  for (const { keys, value } of candidates) {
    const to = matchKeys(tokens, from, keys, acrossCommas)
    if (to !== null) return { to, value }
  }
  return null
}

function matchKeys(
  tokens: readonly TextToken[],
  from: number,
  keys: readonly string[],
  acrossCommas: boolean,
) {
  let at = from
  for (const [index, key] of keys.entries()) {
    if (index > 0) {
      if (acrossCommas && isComma(tokens[at])) at += 1
      if (tokens[at]?.kind === 'space') at += 1
    }
    if (tokens[at]?.key !== key || tokens[at]!.kind === 'kept') return null
    at += 1
  }
  return at
}

const isComma = (token: TextToken | undefined): boolean => token !== undefined && /^[,，、]$/.test(token.text)

/** Whether a phrase of at most three words ends directly before the token at `to`. */
export function endsWith(tokens: readonly TextToken[], to: number, phrases: Phrases): boolean {
  let start = to - 1
  for (let words = 0; words < 3 && start >= 0; words += 1) {
    if (tokens[start]?.kind === 'space') start -= 1
    if (start < 0) return false
    if (matchEnding(tokens, start, to, phrases)) return true
    start -= 1
  }
  return false
}

const matchEnding = (tokens: readonly TextToken[], from: number, to: number, phrases: Phrases): boolean => {
  const end = tokens[to - 1]?.kind === 'space' ? to - 1 : to
  return (phrases.get(tokens[from]!.key) ?? []).some(
    ({ keys }) => matchKeys(tokens, from, keys, false) === end,
  )
}
