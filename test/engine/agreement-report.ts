// Formats the comparison of an engine with whisper.cpp, and gives the verdict.

import { cutRanges, findCaptions } from '../../src/text/sound-captions.ts'
import { wordsApart } from '../support/speech.ts'
import { type Comparison, wordErrorPercent } from './comparison.ts'
import { divergenceOf, divergesAtTime } from './divergence.ts'
import { type RecordedTokens, type RecordedUtterance, textTokens } from './recorded-tokens.ts'

export const MIN_AGREEING_PERCENT = 95
/** Percentage points of the word error rate above shout's and above native whisper.cpp's. */
export const MAX_POINTS_ABOVE = 0.5

const percent = (part: number, whole: number) => `${((100 * part) / Math.max(1, whole)).toFixed(1)} %`

/** Below this probability another token was nearly as likely, and rounding decides. */
const SURE = 0.6

/** Why a text differs. */
const REASONS = {
  rounding: 'are what shout writes when it rounds',
  sampled: 'were sampled at a temperature above 0',
  end: 'continue after its end',
  doubt: 'diverge where it was unsure',
  none: 'are unexplained',
}

export type Reason = keyof typeof REASONS

export type Difference = { lines: string[]; reason: Reason }

export type DifferenceOptions = {
  theirs: RecordedTokens
  /** shout's results with rounding, for some utterances (rounding-shout.ts); null if the type needs no rounding */
  rounding: RecordedTokens | null
  /** the bytes of each text token */
  vocabulary: Uint8Array[]
}

const isAsRounded = ({ tokens, ours }: Comparison, rounded: RecordedUtterance) =>
  tokens ? Bun.deepEquals(textTokens(tokens), textTokens(rounded.tokens)) : ours === rounded.text

const reasonOf = (
  one: Comparison,
  probability: number | null,
  rounded: RecordedUtterance | undefined,
): Reason => {
  if (rounded && isAsRounded(one, rounded)) return 'rounding'
  if (one.sampled) return 'sampled'
  if (one.ours.startsWith(one.theirs)) return 'end'
  return probability !== null && probability < SURE ? 'doubt' : 'none'
}

export const differenceOf = (
  one: Comparison,
  { theirs, rounding, vocabulary }: DifferenceOptions,
): Difference => {
  const { name, said, ours, tokens } = one
  const [recorded, rounded] = [theirs.utterances[name]!, rounding?.utterances[name]]
  const { token, probability } = divergenceOf(vocabulary, ours, recorded)
  const sure = probability === null ? 'where it ends' : `where it was ${percent(probability, 1)} sure of`
  const time = tokens && divergesAtTime(tokens, recorded) ? ', after another time' : ''
  return {
    lines: [
      `  ${wordsApart(ours, one.theirs)} words apart, diverging ${sure} ${JSON.stringify(token ?? '')}${time}`,
      `  ours      ${ours}`,
      `  theirs    ${one.theirs}`,
      ...(rounded ? [`  rounding  ${rounded.text}`] : []),
      `  said      ${said}`,
    ],
    reason: reasonOf(one, probability, rounded),
  }
}

type Text = 'ours' | 'theirs' | 'said' | 'reference'

/** Sound captions are not words: neither the references nor the server's texts contain them. */
const wordsIn = (text: string | null) => (text === null ? '' : cutRanges(text, findCaptions(text)))

const wordErrors = (some: Comparison[], written: Text, right: Text) =>
  wordErrorPercent(some.map((one) => ({ written: wordsIn(one[written]), right: wordsIn(one[right]) })))

export type Verdict = { lines: string[]; passes: boolean }

/** @param count the number of utterances, including failed ones */
export const verdictOn = (comparisons: Comparison[], count: number): Verdict => {
  const agreeing = comparisons.filter(({ sameText }) => sameText).length
  const timed = comparisons.filter(({ sameTimes }) => sameTimes).length
  // without speech there is no word error rate
  const spoken = comparisons.filter(({ said }) => said !== '')
  const known = spoken.filter(({ reference }) => reference !== null)
  const row = (some: Comparison[], right: Text, who: Text[]) =>
    who.map((written) => `${written} ${wordErrors(some, written, right).toFixed(2)}`).join(', ')
  return {
    lines: [
      `  same text: ${agreeing} of ${count}, ${percent(agreeing, count)}; same times too: ${timed}`,
      '  words wrong of a hundred',
      `    in ${spoken.length} with speech: ${row(spoken, 'said', ['ours', 'theirs'])}`,
      `    in ${known.length} of them as recorded: ${row(known, 'said', ['ours', 'theirs', 'reference'])}`,
      `    in the same, apart from reference: ${row(known, 'reference', ['ours', 'theirs'])}`,
    ],
    passes:
      (100 * agreeing) / count >= MIN_AGREEING_PERCENT &&
      wordErrors(spoken, 'ours', 'said') <= wordErrors(spoken, 'theirs', 'said') + MAX_POINTS_ABOVE &&
      wordErrors(known, 'ours', 'said') <= wordErrors(known, 'reference', 'said') + MAX_POINTS_ABOVE,
  }
}

/**
 * The comparison with a shout that rounds. That one transcribed only the utterances that differ, so this does not measure
 * agreement; it shows the differences that remain without truncation.
 */
export const whenRounding = (comparisons: Comparison[], rounding: RecordedTokens): Comparison[] =>
  comparisons.map((one) => {
    const rounded = rounding.utterances[one.name]
    return rounded ? { ...one, theirs: rounded.text, sameText: isAsRounded(one, rounded) } : one
  })

/** The number of differences for each reason. */
export const reasonLines = (comparisons: Comparison[], options: DifferenceOptions): string[] => {
  const reasons = comparisons
    .filter(({ sameText }) => !sameText)
    .map((one) => differenceOf(one, options).reason)
  return [...new Set(reasons)].map(
    (reason) =>
      `  of those that differ, ${reasons.filter((one) => one === reason).length} ${REASONS[reason]}`,
  )
}
