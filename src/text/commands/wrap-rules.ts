// Commands that add or remove quotes, brackets and final punctuation.

import type { Params } from './pattern.ts'
import { around, becoming, rule, type TransformRule } from './rule.ts'
import { pairOf } from './symbols.ts'
import { isQuoted, slotValue } from './utterance.ts'
import {
  curlyQuotes,
  endWith,
  endWithPeriod,
  removeBrackets,
  removeFinalMark,
  removeQuotes,
  straightQuotes,
  wrap,
} from './wrapping.ts'

const surrounding = (names: string, pair: [string, string]) => ({
  patterns: around(names),
  apply: (text: string) => wrap(text, pair),
})

const QUOTES = surrounding('[double] (quotes|quotation marks|quote marks|speech marks|inverted commas)', [
  '"',
  '"',
])
const SINGLE = surrounding('single (quotes|quotation marks)', ["'", "'"])
const PARENTHESES = surrounding('(parentheses|parenthesis|parens|round brackets)', ['(', ')'])
const BRACKETS = surrounding('[square] brackets', ['[', ']'])
const BRACES = surrounding('(curly (braces|brackets)|braces)', ['{', '}'])

/** The slot names a pair of symbols, or quotes the symbols themselves. */
function wrapIn(text: string, { sign = '' }: Params): string | null {
  const value = slotValue(sign)
  if (isQuoted(sign)) return value === '' ? null : wrap(text, [value, value])
  const pair = pairOf(value)
  return pair === null ? null : wrap(text, pair)
}

const END = '(at|to) the (end|very end) [of <this>]'

const ending = (name: string, mark: string, spoken: string, article = 'a'): TransformRule =>
  rule(
    `add ${article} ${name}`,
    `Ends the text with ${mark}`,
    [
      `(add|put|place|insert|append) [a|an|the] ${spoken} [${END}|to <this>|there|here]`,
      `end (<this>|with) [with] [a|an] ${spoken}`,
      `<make> <this> a (${name}|${spoken})`,
    ],
    (text) => (name === 'period' ? endWithPeriod(text) : endWith(text, mark)),
  )

export const WRAP_RULES: TransformRule[] = [
  rule(
    'quote',
    'Double quotes around the text.',
    [...QUOTES.patterns, 'quote <this>', 'quote'],
    QUOTES.apply,
    'wrap this in quotes',
  ),
  rule(
    'single quotes',
    'Single quotes around the text.',
    [...SINGLE.patterns, 'single quotes', 'single quote <this>'],
    SINGLE.apply,
  ),
  rule(
    'parentheses',
    'Round brackets around the text.',
    [...PARENTHESES.patterns, 'parentheses', 'parenthesize [<this>]'],
    PARENTHESES.apply,
    'put parentheses around it',
  ),
  rule(
    'braces',
    'Curly braces around the text.',
    [...BRACES.patterns, 'braces'],
    BRACES.apply,
    'wrap this in curly braces',
  ),
  rule(
    'brackets',
    'Square brackets around the text.',
    [...BRACKETS.patterns, 'brackets', 'bracket <this>'],
    BRACKETS.apply,
    'put this in square brackets',
  ),
  ending('period', '.', '(period|full stop|dot)'),
  ending('question mark', '?', '(question mark|question)'),
  ending('exclamation mark', '!', '(exclamation (mark|point)|bang)', 'an'),
  ending('comma', ',', 'comma'),
  ending('colon', ':', 'colon'),
  ending('semicolon', ';', 'semi~colon'),
  rule(
    'remove the final mark',
    'The marks at the end go.',
    [
      '<remove> the (final|last|trailing|ending) (mark|period|full stop|dot|comma|punctuation|punctuation mark|question mark|exclamation mark) [(from|of) <this>]',
      '<remove> the (period|full stop|dot|comma|punctuation) (at|from) the end [of <this>]',
    ],
    removeFinalMark,
    'remove the trailing period',
  ),

  rule(
    'remove quotes',
    'Quotes around the text go; where there are none, those inside.',
    [
      '<remove> [the|all|all the|any] (quotes|quotation marks|speech marks|quote marks|double quotes|single quotes) [(from|around|in) <this>]',
      'unquote [<this>]',
    ],
    removeQuotes,
  ),
  rule(
    'remove brackets',
    'Brackets of all kinds go, what they hold stays.',
    [
      '<remove> [the|all|all the|any] [square|round|curly] (brackets|parentheses|parens|braces) [(from|around|in) <this>]',
    ],
    removeBrackets,
  ),
  rule(
    'straight quotes',
    'Curly quotes become straight.',
    [
      ...becoming('(straight|plain|dumb) (quotes|quotation marks)'),
      'straighten [the|all|all the] (quotes|quotation marks)',
    ],
    straightQuotes,
  ),
  rule(
    'curly quotes',
    'Straight quotes become curly.',
    [...becoming('(curly|smart|typographic) (quotes|quotation marks)')],
    curlyQuotes,
    'use curly quotes',
  ),
  rule(
    'wrap in',
    'A named pair of signs around the text.',
    [
      '<put> <this> (in|into|inside|within|between|with) [a|an|pair of|a pair of] {sign}',
      '(put|add|place) [some|a pair of] {sign} (around|round) <this>',
    ],
    wrapIn,
    'wrap this in asterisks',
  ),
]
