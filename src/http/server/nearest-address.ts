// Suggests the address that a client probably meant by an unknown one.

import { closestWord } from '../../lib/did-you-mean.ts'
import { addressOfAlias } from '../contract/address-aliases.ts'

/** Shorter words, such as v1 and id, are in too many addresses. */
const MIN_WORD_LENGTH = 4

/** More than any of our addresses has; a path may have thousands. */
const MAX_WORDS = 8

/** A known alias, else the address with the most similar spelling, else the shortest one that shares most words with the path. */
export function nearestAddress(path: string, addresses: readonly string[]): string | null {
  const meant = addressOfAlias(path) ?? closestWord(path, addresses)
  if (meant !== null) return meant
  const asked = wordsOf(path)
  const [best] = addresses
    .map((address) => ({ address, words: wordsOf(address) }))
    .map(({ address, words }) => ({
      address,
      shared: asked.filter((word) => closestWord(word, words) !== null).length,
      parts: address.split('/').length,
    }))
    .filter(({ shared }) => shared > 0)
    .toSorted((a, b) => b.shared - a.shared || a.parts - b.parts)
  return best?.address ?? null
}

const wordsOf = (path: string): string[] =>
  path
    .split(/[/_-]/, 4 * MAX_WORDS)
    .filter((word) => word.length >= MIN_WORD_LENGTH && !word.startsWith('{'))
    .slice(0, MAX_WORDS)
