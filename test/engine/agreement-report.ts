// What an engine and shout wrote, as lines to read and as a verdict.
// Compares nothing itself; agreement.ts says what is printed where.

import { wordsApart } from '../support/speech.ts'
import { type Comparison, wordErrorPercent } from './comparison.ts'
import { partingOf } from './parting.ts'
import type { ShoutTokens } from './shout-tokens.ts'

export const LEAST_AGREEING_PERCENT = 95
/** Of words wrong in a hundred, above shout's and above native whisper.cpp's. */
export const MOST_POINTS_ABOVE = 0.5

const percent = (part: number, whole: number) => `${((100 * part) / Math.max(1, whole)).toFixed(1)} %`

/**
 * Less sure than this, and something else was nearly as likely. That is where shout and whatever counts better part:
 * ggml's WebAssembly quantizes activations to 8 bits by cutting off, not by rounding (quantize_row_q8_1 in its
 * arch/wasm/quants.c). Of 76 utterances native whisper.cpp writes 62 as shout does; 71, when it is made to cut off.
 */
const SURE = 0.6

export type Difference = { lines: string[]; shoutWasSure: boolean }

export const differenceOf = (
  { name, said, ours, shout }: Comparison,
  { utterances }: ShoutTokens,
  vocabulary: Uint8Array[],
): Difference => {
  const { token, probability } = partingOf(vocabulary, ours, utterances[name]!)
  const sure =
    probability === null ? 'where shout ends' : `where shout was ${percent(probability, 1)} sure of`
  const lines = [
    `  ${wordsApart(ours, shout)} words apart, parting ${sure} ${JSON.stringify(token ?? '')}`,
    `  ours   ${ours}`,
    `  shout  ${shout}`,
    `  said   ${said}`,
  ]
  return { lines, shoutWasSure: (probability ?? 1) >= SURE }
}

type Text = 'ours' | 'shout' | 'said' | 'reference'

const wordErrors = (some: Comparison[], written: Text, right: Text) =>
  wordErrorPercent(some.map((one) => ({ written: one[written] ?? '', right: one[right] ?? '' })))

/** @param count of utterances, those that failed among them */
export const verdictOn = (comparisons: Comparison[], count: number): { lines: string[]; passes: boolean } => {
  const agreeing = comparisons.filter(({ sameText }) => sameText).length
  const timed = comparisons.filter(({ sameTimes }) => sameTimes).length
  // where nothing is said there is no share of words to be wrong
  const spoken = comparisons.filter(({ said }) => said !== '')
  const known = spoken.filter(({ reference }) => reference !== null)
  const row = (some: Comparison[], right: Text, who: Text[]) =>
    who.map((written) => `${written} ${wordErrors(some, written, right).toFixed(2)}`).join(', ')
  return {
    lines: [
      `same text as shout: ${agreeing} of ${count}, ${percent(agreeing, count)}; same times too: ${timed}`,
      'words wrong of a hundred',
      `  in ${spoken.length} with speech: ${row(spoken, 'said', ['ours', 'shout'])}`,
      `  in ${known.length} of them as recorded: ${row(known, 'said', ['ours', 'shout', 'reference'])}`,
      `  in the same, apart from reference: ${row(known, 'reference', ['ours', 'shout'])}`,
    ],
    passes:
      (100 * agreeing) / count >= LEAST_AGREEING_PERCENT &&
      wordErrors(spoken, 'ours', 'said') <= wordErrors(spoken, 'shout', 'said') + MOST_POINTS_ABOVE &&
      wordErrors(known, 'ours', 'said') <= wordErrors(known, 'reference', 'said') + MOST_POINTS_ABOVE,
  }
}
