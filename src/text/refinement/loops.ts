// Runaway repetition, which speech engines fall into, is cut down to one copy: words, phrases, whole sentences, letters.
// Not what people repeat ("no, no, no", "very very", 哈哈哈): the thresholds are above it; stutters are stutters.ts.

import type { Language } from './languages/languages.ts'
import { findRepeats, isCompound, type Repeat } from './repeats.ts'
import type { Step } from './step.ts'
import { isSpoken, join, make, type Token } from './tokens.ts'

/** Units longer than this many words (or ideographs) are not looked for. */
const LONGEST_UNIT = 60

/** Nobody dictates a number of this many equal digits; shorter runs are account numbers. */
const NUMBER_COPIES = 20

export const removeLoops: Step = (tokens, { language }) => {
  let rest = tokens.map(shortenWord)
  const intern = new Map<string, number>()
  for (let period = 1; period <= LONGEST_UNIT; period += 1) {
    const spoken = rest.flatMap((token, index) => (isSpoken(token) ? [index] : []))
    if (spoken.length < period * 4) break
    const ids = Uint32Array.from(spoken, (index) => idOf(intern, rest[index]!.key))
    const loops = findRepeats(ids, period).filter((one) => isLoop(one, ids, spoken, rest, language))
    if (loops.length > 0) rest = withoutCopies(rest, spoken, loops)
  }
  return join(rest)
}

function idOf(intern: Map<string, number>, key: string): number {
  const id = intern.get(key) ?? intern.size
  intern.set(key, id)
  return id
}

function isLoop(
  repeat: Repeat,
  ids: Uint32Array,
  spoken: readonly number[],
  tokens: readonly Token[],
  language: Language,
): boolean {
  if (repeat.copies < 4 || isCompound(ids, repeat)) return false
  const unit = spoken.slice(repeat.from, repeat.from + repeat.period).map((index) => tokens[index]!)
  if (unit.every((token) => token.kind === 'number' || language.numbers.test(token.key)))
    return repeat.copies >= NUMBER_COPIES
  return (
    repeat.copies >=
    (unit.every(({ kind }) => kind === 'ideograph') ? ideographCopies(unit) : wordCopies(unit))
  )
}

/** "No, no, no, no, no" is said; a long sentence four times in a row is not. */
const wordCopies = ({ length }: readonly Token[]): number => (length === 1 ? 6 : length <= 3 ? 5 : 4)

/** A word takes several ideographs, and single ones are laughter and emphasis. */
const ideographCopies = ({ length }: readonly Token[]): number =>
  length === 1 ? 16 : length <= 3 ? 6 : length <= 5 ? 5 : 4

/** What stands between the copies goes with them; the marks behind the last copy stay. */
function withoutCopies(
  tokens: readonly Token[],
  spoken: readonly number[],
  loops: readonly Repeat[],
): Token[] {
  const kept: Token[] = []
  let position = 0
  for (const { from, period, copies, rest } of loops) {
    // A copy that the end of the text cuts off belongs to the loop.
    const cutOff = from + copies * period + rest === spoken.length ? rest : 0
    const endOfFirst = spoken[from + period - 1]!
    const endOfLast = spoken[from + copies * period + cutOff - 1]!
    for (; position <= endOfFirst; position += 1) kept.push(tokens[position]!)
    position = endOfLast + 1
  }
  return kept.concat(tokens.slice(position))
}

/** Letters repeated inside one word: "hahahahaha…" and scripts whose words stand without spaces. */
function shortenWord(token: Token): Token {
  if (token.kind !== 'word' || token.text.length < 24) return token
  let text = token.text
  for (let period = 1; period <= LONGEST_UNIT && period * 4 <= text.length; period += 1) {
    const letters = [...text]
    const loops = findRepeats(letters, period).filter(
      (one) => one.copies >= letterCopies(one.period) && !isCompound(letters, one),
    )
    // One letter drawn out stays drawn out.
    const left = period === 1 ? 3 : 1
    let position = 0
    let shortened = ''
    for (const { from, copies } of loops) {
      shortened += letters.slice(position, from + left * period).join('')
      position = from + copies * period
    }
    if (loops.length > 0) text = shortened + letters.slice(position).join('')
  }
  return text === token.text ? token : make('word', text)
}

const letterCopies = (period: number): number => (period === 1 ? 24 : period <= 3 ? 10 : period <= 8 ? 6 : 5)
