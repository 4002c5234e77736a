// The last check before a model's output replaces the user's text. When in doubt it rejects, and the rule-based text stays.

import { fail, type Result, succeed } from '../../lib/result.ts'
import { isTalkative, unwrapped } from './chatter.ts'
import { type Decoration, isDecorated } from './decoration.ts'
import { EXPENDABLE } from './expendable.ts'
import type { LetterCase } from './letter-case.ts'
import { addressLiterals, holdsAll, identifiersIn, numbersIn, quotationsIn } from './literals.ts'
import { scriptsDiffer } from './scripts.ts'
import { keyOf } from './tokens.ts'
import { compareWords, type Freedom, type WordLoss } from './word-rules.ts'

export type GuardCode =
  | 'empty_answer'
  | 'too_long'
  | 'too_short'
  | 'chatter'
  | 'markup'
  | 'other_script'
  | 'lost_address'
  | 'added_address'
  | 'lost_identifier'
  | 'lost_quotation'
  | 'changed_numbers'
  | 'lost_question'
  | WordLoss

export type OutputGuardOptions = {
  freedom: Freedom
  /** default: kept */
  letterCase?: LetterCase
  /** decorations that the output may add; default: none */
  decorations?: readonly Decoration[]
  /** words that must not change: those of the dictionary */
  keepWords: readonly string[]
  /** writes number words in digits, so that "twenty three" and "23" match */
  digitsOf: (text: string) => string
}

/** The output without its wrapping, or the first reason to reject it. */
export function checkAnswer(
  input: string,
  answer: string,
  options: OutputGuardOptions,
): Result<string, GuardCode> {
  // First, so that no other check runs on a huge text.
  if (answer.length > input.length * 3 + WRAPPING) return fail('too_long')
  const output = unwrapped(input, answer)
  const code =
    faultOfShape(input, output, options) ??
    faultOfLiterals(input, output) ??
    faultOfWords(input, output, options)
  return code === null ? succeed(output) : fail(code)
}

/** Allowance in characters for an introduction, a code fence or tags. */
const WRAPPING = 1000

/** Number of letters and digits, which a change of punctuation does not affect. */
const weightOf = (text: string): number => text.match(/[\p{L}\p{N}]/gu)?.length ?? 0

/** In characters. Short texts vary more: an expanded contraction, an added article. */
const SLACK = 12
const LONGEST = 1.4
const SHORTEST = 0.5

function faultOfShape(
  input: string,
  output: string,
  { decorations = [] }: OutputGuardOptions,
): GuardCode | null {
  const [said, written] = [weightOf(input), weightOf(output)]
  if (written === 0 && said > 0) return 'empty_answer'
  if (written > said * LONGEST + SLACK || output.length > input.length * 2 + 100) return 'too_long'
  if (written < said * SHORTEST - SLACK) return 'too_short'
  if (isTalkative(input, output)) return 'chatter'
  if (isDecorated(input, output, decorations)) return 'markup'
  return scriptsDiffer(input, output) ? 'other_script' : null
}

function faultOfLiterals(input: string, output: string): GuardCode | null {
  const addresses = addressLiterals(input)
  if (!holdsAll(output, addresses)) return 'lost_address'
  if (!holdsAll(input, addressLiterals(output))) return 'added_address'
  if (!holdsAll(output, identifiersIn(input))) return 'lost_identifier'
  if (!holdsAll(output, quotationsIn(input))) return 'lost_quotation'
  // The model answered a question of the speaker.
  return questionsIn(output) < questionsIn(input) ? 'lost_question' : null
}

const questionsIn = (text: string): number => text.match(/[?？؟]/gu)?.length ?? 0

function faultOfWords(input: string, output: string, options: OutputGuardOptions): GuardCode | null {
  const { freedom, letterCase = 'kept', keepWords, digitsOf } = options
  const [said, written] = [digitsOf(input), digitsOf(output)]
  const [before, after] = [numbersIn(said), numbersIn(written)]
  if (before.join(' ') !== after.join(' ')) return 'changed_numbers'
  const keys = keepWords.flatMap((word) => word.split(/\s+/)).map(keyOf)
  const keep = new Set(keys.filter((key) => !EXPENDABLE.has(key)))
  return compareWords(said, written, { freedom, letterCase, keep })
}
