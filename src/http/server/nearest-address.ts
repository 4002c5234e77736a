// The address that somebody most likely meant who asked for one that is not served.
// Which there are is route-table.ts.

import { closestWord } from '../../lib/did-you-mean.ts'
import { calledAddress } from '../contract/called-addresses.ts'

/** Shorter ones, such as v1 and id, stand in too many addresses. */
const LETTERS_OF_A_WORD = 4

/** No address of ours has more; a path may be thousands. */
const MAX_WORDS = 8

/** One that others call so; one that is written almost so; else the shortest of those that have most words of the path. */
export function nearestAddress(path: string, addresses: readonly string[]): string | null {
  const meant = calledAddress(path) ?? closestWord(path, addresses)
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
    .filter((word) => word.length >= LETTERS_OF_A_WORD && !word.startsWith('{'))
    .slice(0, MAX_WORDS)
