// The last check before a model's output replaces the user's text. When in doubt it rejects, and the rule-based text stays.

import { fail, type Result, succeed } from '../../lib/result.ts'
import { isTalkative, unwrapped } from './chatter.ts'
import { EXPENDABLE } from './expendable.ts'
import { addressLiterals, holdsAll, identifiersIn, numbersIn, quotationsIn } from './literals.ts'
import { keyOf } from './tokens.ts'
import { compareWords, type Freedom, type LetterCase, type WordLoss } from './word-rules.ts'

/** Not allowed unless the input has it. */
const MARKUP: readonly RegExp[] = [
  /\*\*|__\w|~~/g,
  /^\s*#{1,6} /gm,
  /`/g,
  /<\/?[a-z|][^>\n]*>|\[\/?INST\]/gi,
  /^(?:user|assistant|system)\s*[:\n]/gim,
  /(?<![\p{L}\p{N}*])\*[^\s*](?:[^*\n]*[^\s*])?\*(?![\p{L}\p{N}*])/gu,
  /(?<![\p{L}\p{N}_])_[^\s_](?:[^_\n]*[^\s_])?_(?![\p{L}\p{N}_])/gu,
  /^\s*>\s/gm,
  /^\s*(?:-{3,}|={3,}|\*{3,}|_{3,})\s*$/gm,
  /^\s*\|.*\|\s*$/gm,
  /\[[^\]\n]+\]\([^)\n]+\)/g,
  /^\s*[-*+] \[[ x]\]/gim,
]

/** Decorations that a style may allow. */
const WISHES = {
  list: /^\s*(?:[-*+•‣▪–]|\p{Nd}{1,3}[.)])\s/gmu,
  emoji: /\p{Emoji_Presentation}|\p{Extended_Pictographic}\uFE0F/gu,
} as const
export type Decoration = keyof typeof WISHES

/** Whether the output has more markup than the input. */
function isDecorated(input: string, output: string, wished: readonly Decoration[]): boolean {
  const unwished = Object.entries(WISHES).flatMap(([name, signs]) =>
    wished.some((one) => one === name) ? [] : signs,
  )
  return [...MARKUP, ...unwished].some((signs) => hasMore(output, input, signs))
}

/** Decorations that an example adds to its input. */
export const decorationsIn = ({ input, output }: { input: string; output: string }): Decoration[] =>
  (Object.keys(WISHES) as Decoration[]).filter((name) => hasMore(output, input, WISHES[name]))

const hasMore = (one: string, other: string, signs: RegExp): boolean =>
  countOf(one, signs) > countOf(other, signs)

const countOf = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0

const SCRIPTS = [
  ...[
    'Latin',
    'Cyrillic',
    'Greek',
    'Arabic',
    'Hebrew',
    'Devanagari',
    'Bengali',
    'Tamil',
    'Telugu',
    'Gujarati',
  ],
  ...[
    'Kannada',
    'Malayalam',
    'Gurmukhi',
    'Sinhala',
    'Thai',
    'Lao',
    'Khmer',
    'Myanmar',
    'Hangul',
    'Han',
    'Hiragana',
  ],
  ...['Katakana', 'Georgian', 'Armenian', 'Ethiopic'],
].map((name) => new RegExp(`\\p{Script=${name}}`, 'gu'))

/** A smaller share is a name or a foreign word. */
const NOTABLE = 0.1

function notableIn(text: string): boolean[] {
  const counts = SCRIPTS.map((script) => text.match(script)?.length ?? 0)
  const letters = counts.reduce((sum, count) => sum + count, 0)
  return counts.map((count) => count > 0 && count >= letters * NOTABLE)
}

/** Whether one text has a notable part in a script that the other lacks. */
function scriptsDiffer(one: string, other: string): boolean {
  const [notable, others] = [notableIn(one), notableIn(other)]
  // Digits and symbols alone have no script.
  if (!notable.includes(true) || !others.includes(true)) return false
  return SCRIPTS.some(
    (script, at) => (notable[at] && !holds(other, script)) || (others[at] && !holds(one, script)),
  )
}

const holds = (text: string, script: RegExp): boolean => text.search(script) !== -1

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
