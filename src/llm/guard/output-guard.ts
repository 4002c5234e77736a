// Whether a model's answer is still what the person said: the last gate before a text is replaced.
// Pure: it sees two texts and nothing else. When in doubt it refuses, and the text of the rules stands.

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
  /** by default kept */
  letterCase?: LetterCase
  /** what the answer may have though nobody spoke it; by default nothing */
  decorations?: readonly Decoration[]
  /** words that must stay as they are written: those of the dictionary */
  keepWords: readonly string[]
  /** writes spelled numbers in digits, so that "twenty three" and "23" are the same */
  digitsOf: (text: string) => string
}

/** The answer, without what was wrapped around it; or the first reason not to take it. */
export function checkAnswer(
  input: string,
  answer: string,
  options: OutputGuardOptions,
): Result<string, GuardCode> {
  // Before anything else looks at it.
  if (answer.length > input.length * 3 + WRAPPING) return fail('too_long')
  const output = unwrapped(input, answer)
  const code =
    faultOfShape(input, output, options) ??
    faultOfLiterals(input, output) ??
    faultOfWords(input, output, options)
  return code === null ? succeed(output) : fail(code)
}

/** Characters of an introduction, a fence, tags. */
const WRAPPING = 1000

/** Letters, digits and marks: what a change of punctuation leaves alone. */
const weightOf = (text: string): number => text.match(/[\p{L}\p{N}]/gu)?.length ?? 0

/** Short texts vary more: a contraction written out, an article added. */
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
  // Somebody's question was answered.
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
