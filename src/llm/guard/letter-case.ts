// Whether the output changed the case of the input: all caps, all lowercase, title case.
// Single words may change: the start of a sentence, an abbreviation, a noun.

import { NEGATIONS } from './expendable.ts'
import type { GuardToken } from './tokens.ts'

/** Case changes that a style allows: none, lowercase as in a chat, or any. */
export type LetterCase = 'kept' | 'small' | 'free'

/** Longer words are rarely abbreviations. */
const LONGEST_ABBREVIATION = 4
const MOST_IN_A_ROW = 2
/** Fewer newly capitalised words may all be names. */
const LEAST_TITLED = 3
const MOST_TITLED_SHARE = 2 / 3

const isHigh = (surface: string): boolean => /^[\p{Lu}\p{Lt}]/u.test(surface)
const isShouted = (surface: string): boolean => /^\P{Ll}*\p{Lu}\P{Ll}*\p{Lu}\P{Ll}*$/u.test(surface)

type Pair = { said: GuardToken; written: GuardToken }

/** `partners` has, for each token of `said`, its index in `written`, or -1. */
export function changesCase(
  said: readonly GuardToken[],
  written: readonly GuardToken[],
  partners: Int32Array,
  letterCase: LetterCase,
): boolean {
  if (letterCase === 'free') return false
  const pairs = said.flatMap((token, at): Pair[] => {
    const partner = partners[at] === -1 ? undefined : written[partners[at]!]
    return partner?.kind === 'cased' && token.kind === 'cased' ? [{ said: token, written: partner }] : []
  })
  return shouts(pairs) || titles(pairs) || (letterCase === 'kept' && flattens(pairs))
}

function shouts(pairs: readonly Pair[]): boolean {
  let [raised, long, inRow] = [0, 0, 0]
  for (const { said, written } of pairs) {
    const isRaised = isShouted(written.surface) && !isShouted(said.surface)
    inRow = isRaised ? inRow + 1 : 0
    if (!isRaised) continue
    raised += 1
    if ([...written.surface].length > LONGEST_ABBREVIATION) long += 1
    if (NEGATIONS.has(written.key) || long > 1 || inRow > MOST_IN_A_ROW) return true
  }
  return raised * 2 > pairs.length
}

/** Ignores starts of sentences: the text rules set them as the style requires. */
const inside = (pairs: readonly Pair[]) => pairs.filter(({ said, written }) => !said.first && !written.first)

function flattens(pairs: readonly Pair[]): boolean {
  const high = inside(pairs).filter(({ said }) => isHigh(said.surface))
  return high.filter(({ written }) => !isHigh(written.surface)).length * 2 > high.length
}

function titles(pairs: readonly Pair[]): boolean {
  const small = inside(pairs).filter(({ said }) => !isHigh(said.surface))
  const titled = small.filter(({ written }) => isHigh(written.surface) && !isShouted(written.surface))
  return titled.length >= LEAST_TITLED && titled.length > small.length * MOST_TITLED_SHARE
}
