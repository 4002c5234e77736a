// Compares the words of input and output: which were lost, which were added, and whether that is acceptable.

import { type Alignment, align, similarity } from '../../lib/alignment.ts'
import { EXPENDABLE, NEGATIONS, NEGATIONS_INSIDE, OPENERS } from './expendable.ts'
import { type GuardToken, tokensOf } from './tokens.ts'

/** Case changes that a style allows: none, lowercase as in a chat, or any. */
export type LetterCase = 'kept' | 'small' | 'free'

/** Longer words are rarely abbreviations. */
const LONGEST_ABBREVIATION = 4
const MAX_IN_A_ROW = 2
/** Fewer newly capitalised words may all be names. */
const MIN_TITLED = 3
const MAX_TITLED_SHARE = 2 / 3

const isHigh = (surface: string): boolean => /^[\p{Lu}\p{Lt}]/u.test(surface)
const isShouted = (surface: string): boolean => /^\P{Ll}*\p{Lu}\P{Ll}*\p{Lu}\P{Ll}*$/u.test(surface)

type Pair = { said: GuardToken; written: GuardToken }

/** `partners` has, for each token of `said`, its index in `written`, or -1. */
function changesCase(
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
    if (NEGATIONS.has(written.key) || long > 1 || inRow > MAX_IN_A_ROW) return true
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
  return titled.length >= MIN_TITLED && titled.length > small.length * MAX_TITLED_SHARE
}

export type WordLoss =
  | 'lost_name'
  | 'added_name'
  | 'lost_words'
  | 'added_words'
  | 'lost_sentence'
  | 'added_sentence'
  | 'changed_negation'
  | 'changed_case'

/** How many content words may change: `filter` corrects slips, `rewrite` may rephrase. */
export type Freedom = 'filter' | 'rewrite'

const EXCHANGEABLE = { filter: 0.1, rewrite: 0.25 } as const
/** Hiragana carries inflection: formal and plain forms differ only in hiragana. */
const EXCHANGEABLE_HIRAGANA = 0.3
/** Similarity of a corrected slip to the original word. */
const LIKE = 0.7

type Options = {
  freedom: Freedom
  letterCase: LetterCase
  /** keys of words that must not change */
  keep: ReadonlySet<string>
}

/** The first broken rule, or null. */
export function compareWords(input: string, output: string, options: Options): WordLoss | null {
  const { freedom, letterCase, keep } = options
  const [said, written] = [tokensOf(input), tokensOf(output)]
  if (negationsIn(input, said) !== negationsIn(output, written)) return 'changed_negation'
  const alignment = align(
    said.map(({ key }) => key),
    written.map(({ key }) => key),
  )
  const { lost, added } = exchangedIn(said, written, alignment)
  if (lost.some((token) => isIrreplaceable(token, keep))) return 'lost_name'
  if (renamed(said, written, alignment, keep)) return 'lost_name'
  if (added.some((token) => !token.like && looksLikeName(token.token))) return 'added_name'
  if (!hasEverySentence(said, alignment.ofInput)) return 'lost_sentence'
  if (!hasEverySentence(written, alignment.ofOutput)) return 'added_sentence'
  const share = EXCHANGEABLE[freedom]
  if (tooMany(lost, said, share)) return 'lost_words'
  if (tooMany(added, written, share)) return 'added_words'
  return changesCase(said, written, alignment.ofInput, letterCase) ? 'changed_case' : null
}

const negationsIn = (text: string, tokens: readonly GuardToken[]): number =>
  tokens.filter(({ key }) => NEGATIONS.has(key)).length + (text.match(NEGATIONS_INSIDE)?.length ?? 0)

/** A word without a partner; `like`: a similar word is in its place. */
type Exchanged = { token: GuardToken; like: boolean }

function exchangedIn(said: GuardToken[], written: GuardToken[], { ofInput }: Alignment) {
  const lost: Exchanged[] = []
  const added: Exchanged[] = []
  const closeGap = (from: number, to: number, start: number, end: number) => {
    const [gone, come] = [said.slice(from, to), written.slice(start, end)]
    lost.push(...gone.map((token) => ({ token, like: come.some((other) => resembles(token, other)) })))
    added.push(...come.map((token) => ({ token, like: gone.some((other) => resembles(token, other)) })))
  }
  let [i, j] = [0, 0]
  for (let at = 0; at <= said.length; at++) {
    const partner = at === said.length ? written.length : ofInput[at]!
    if (partner === -1) continue
    closeGap(i, at, j, partner)
    ;[i, j] = [at + 1, partner + 1]
  }
  return { lost, added }
}

const resembles = (one: GuardToken, other: GuardToken): boolean =>
  one.key[0] === other.key[0] && similarity(one.key, other.key) >= LIKE

const startsHigh = ({ surface }: GuardToken): boolean => /^[\p{Lu}\p{Lt}]/u.test(surface)

/** A capital that no rule requires, or at a start, where the word may still be a name. */
function looksLikeName(token: GuardToken): boolean {
  if (token.kind !== 'cased' || !startsHigh(token)) return false
  return token.first ? !OPENERS.has(token.key) && !EXPENDABLE.has(token.key) : token.key !== 'i'
}

/** In a script without case, any word may be a name. */
function isIrreplaceable({ token }: Exchanged, keep: ReadonlySet<string>): boolean {
  if (keep.has(token.key)) return true
  if (token.kind === 'caseless' || token.kind === 'character') return !EXPENDABLE.has(token.key)
  return looksLikeName(token)
}

/** Whether a name has different accents in the output. */
function renamed(
  said: GuardToken[],
  written: GuardToken[],
  { ofInput }: Alignment,
  keep: ReadonlySet<string>,
): boolean {
  return said.some((token, at) => {
    const partner = ofInput[at]! === -1 ? undefined : written[ofInput[at]!]
    if (partner === undefined || !(keep.has(token.key) || (looksLikeName(token) && !token.first)))
      return false
    return token.surface.normalize('NFC').toLowerCase() !== partner.surface.normalize('NFC').toLowerCase()
  })
}

const isWeighty = ({ kind, key }: GuardToken): boolean =>
  kind === 'hiragana' || kind === 'character' || !EXPENDABLE.has(key)

/** Whether every sentence with content words has at least half of them in the other text. */
function hasEverySentence(tokens: readonly GuardToken[], partners: Int32Array): boolean {
  const counts = new Map<number, { all: number; found: number }>()
  tokens.forEach((token, at) => {
    if (!isWeighty(token)) return
    const count = counts.get(token.sentence) ?? { all: 0, found: 0 }
    counts.set(token.sentence, { all: count.all + 1, found: count.found + (partners[at] === -1 ? 0 : 1) })
  })
  return [...counts.values()].every(({ all, found }) => found * 2 >= all)
}

function tooMany(exchanged: readonly Exchanged[], all: readonly GuardToken[], share: number): boolean {
  const isHiragana = ({ kind }: GuardToken) => kind === 'hiragana'
  const counted = exchanged.filter(({ token, like }) => isWeighty(token) && !like).map(({ token }) => token)
  const weighty = all.filter(isWeighty)
  const hiragana = weighty.filter(isHiragana).length
  const changedHiragana = counted.filter(isHiragana).length
  if (changedHiragana > Math.max(2, hiragana * EXCHANGEABLE_HIRAGANA)) return true
  return counted.length - changedHiragana > Math.floor((weighty.length - hiragana) * share)
}
