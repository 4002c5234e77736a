// Reduces runaway repetition by speech engines to one copy: words, phrases, sentences, characters. The thresholds are
// above normal repetition ("no, no, no", "very very", 哈哈哈).

import type { Language } from './languages/languages.ts'
import type { RefinementStep } from './step.ts'
import { isSpoken, join, make, type TextToken } from './tokens.ts'

/** Maximum unit length, in words or ideographs. */
const LONGEST_UNIT = 60

/** Shorter runs of equal digits may be account numbers. */
const NUMBER_COPIES = 20

export const removeLoops: RefinementStep = (tokens, { language }) => {
  let words = wordsOf(tokens.map(shortenWord))
  for (let period = 1; period <= LONGEST_UNIT && words.spoken.length >= period * 4; period += 1) {
    const loops = findRepeats(words.ids, period).filter((repeat) => isLoop(repeat, words, language))
    if (loops.length > 0) words = wordsOf(withoutCopies(words, loops))
  }
  return join(words.tokens)
}

/** `spoken` are the indices of tokens other than punctuation and spaces; `ids` are equal for equal words. */
type Words = { tokens: readonly TextToken[]; spoken: readonly number[]; ids: Uint32Array }

function wordsOf(tokens: readonly TextToken[]): Words {
  const known = new Map<string, number>()
  const spoken: number[] = []
  for (const [index, token] of tokens.entries()) if (isSpoken(token)) spoken.push(index)
  return { tokens, spoken, ids: Uint32Array.from(spoken, (index) => idOf(known, tokens[index]!.key)) }
}

function idOf(known: Map<string, number>, key: string): number {
  const id = known.get(key) ?? known.size
  known.set(key, id)
  return id
}

function isLoop(repeat: Repeat, { tokens, spoken, ids }: Words, language: Language): boolean {
  if (repeat.copies < 4 || isCompound(ids, repeat)) return false
  const unit = spoken.slice(repeat.from, repeat.from + repeat.period).map((index) => tokens[index]!)
  if (unit.every((token) => token.kind === 'number' || language.isNumber(token.key)))
    return repeat.copies >= NUMBER_COPIES
  return (
    repeat.copies >=
    (unit.every(({ kind }) => kind === 'ideograph') ? ideographCopies(unit) : wordCopies(unit))
  )
}

/** People say "no, no, no, no, no", but not a long sentence four times in a row. */
const wordCopies = ({ length }: readonly TextToken[]): number => (length === 1 ? 6 : length <= 3 ? 5 : 4)

/** A word has several ideographs, and single repeated ones are laughter or emphasis. */
const ideographCopies = ({ length }: readonly TextToken[]): number =>
  length === 1 ? 16 : length <= 3 ? 6 : length <= 5 ? 5 : 4

/** Removes the copies and the tokens between them; keeps the punctuation after the last copy. */
function withoutCopies({ tokens, spoken }: Words, loops: readonly Repeat[]): TextToken[] {
  const kept: TextToken[] = []
  let position = 0
  for (const { from, period, copies, rest } of loops) {
    // A copy cut off by the end of the text belongs to the loop.
    const cutOff = from + copies * period + rest === spoken.length ? rest : 0
    const endOfFirst = spoken[from + period - 1]!
    const endOfLast = spoken[from + copies * period + cutOff - 1]!
    for (; position <= endOfFirst; position += 1) kept.push(tokens[position]!)
    position = endOfLast + 1
  }
  return kept.concat(tokens.slice(position))
}

/** Shortens character repetition within a word: "hahahahaha…", and loops in scripts without spaces. */
function shortenWord(token: TextToken): TextToken {
  if (token.kind !== 'word' || token.text.length < 24) return token
  let text = token.text
  for (let period = 1; period <= LONGEST_UNIT && period * 4 <= text.length; period += 1) {
    const characters = [...text]
    const loops = findRepeats(characters, period).filter(
      (one) => one.copies >= characterCopies(one.period) && !isCompound(characters, one),
    )
    // A single drawn-out character keeps three copies.
    const left = period === 1 ? 3 : 1
    let position = 0
    let shortened = ''
    for (const { from, copies } of loops) {
      shortened += characters.slice(position, from + left * period).join('')
      position = from + copies * period
    }
    if (loops.length > 0) text = shortened + characters.slice(position).join('')
  }
  return text === token.text ? token : make('word', text)
}

const characterCopies = (period: number): number =>
  period === 1 ? 24 : period <= 3 ? 10 : period <= 8 ? 6 : 5

type Repeat = {
  /** index of the first element of the first copy */
  from: number
  /** elements in one copy */
  period: number
  copies: number
  /** elements of a partial copy after the last full copy */
  rest: number
}

/**
 * Repeats of units of exactly `period` elements, with at least two copies, from left to right. Reads each element once,
 * so all periods up to a bound take linear time.
 */
function findRepeats(sequence: ArrayLike<number | string>, period: number): Repeat[] {
  const found: Repeat[] = []
  let equal = 0
  for (let index = period; index <= sequence.length; index += 1) {
    if (index < sequence.length && sequence[index] === sequence[index - period]) {
      equal += 1
      continue
    }
    if (equal >= period) {
      const length = equal + period
      found.push({ from: index - length, period, copies: Math.floor(length / period), rest: length % period })
    }
    equal = 0
  }
  return found
}

/** Whether the unit itself repeats a shorter unit; then the shorter period describes it. */
function isCompound(sequence: ArrayLike<number | string>, { from, period }: Repeat): boolean {
  for (let part = 1; part <= period / 2; part += 1) {
    if (period % part !== 0) continue
    let same = true
    for (let index = from + part; same && index < from + period; index += 1)
      same = sequence[index] === sequence[index - part]
    if (same) return true
  }
  return false
}
