// All commands, and the commands that match an utterance, most likely first.

import { once } from '../../lib/once.ts'
import { CASE_RULES } from './case-rules.ts'
import { FORMAT_RULES } from './format-rules.ts'
import { LINE_RULES } from './line-rules.ts'
import { compileCommandPattern, type Params } from './pattern.ts'
import { POSITION_RULES } from './position-rules.ts'
import { PRESS_RULES } from './press-rules.ts'
import type { CommandRule } from './rule.ts'
import { TIDY_RULES } from './tidy-rules.ts'
import { readingsOf } from './utterance.ts'
import { WORD_RULES } from './word-rules.ts'

/** In matching order: rules with slots for free words come last. */
export const COMMAND_RULES: readonly CommandRule[] = [
  ...PRESS_RULES,
  ...CASE_RULES,
  ...LINE_RULES,
  ...FORMAT_RULES,
  ...TIDY_RULES,
  ...POSITION_RULES,
  ...WORD_RULES,
]

/** The name of a command without slots is also a phrase for it. */
const phrasesOf = ({ name, patterns }: CommandRule): string[] =>
  patterns.some((source) => !source.includes('{')) ? [name, ...patterns] : [...patterns]

const compiledRules = once(() =>
  COMMAND_RULES.flatMap((rule) =>
    phrasesOf(rule).map((source) => ({ rule, pattern: compileCommandPattern(source) })),
  ),
)

export type Understood = {
  rule: CommandRule
  params: Params
  /** whether the match has no slot for free words */
  exact: boolean
}

/**
 * The whole utterance must match; a command inside longer speech is dictation. Several commands may match: the text
 * decides whether "change the tone to friendly" is a replacement of words.
 */
export function understand(utterance: string): Understood[] {
  const found: Understood[] = []
  for (const reading of readingsOf(utterance)) {
    for (const { rule, pattern } of compiledRules()) {
      const params = pattern.match(reading)
      if (params !== null) found.push({ rule, params, exact: !pattern.open })
    }
  }
  // An exact match comes before a match with free words, whichever reading it is from.
  return [...found.filter(({ exact }) => exact), ...found.filter(({ exact }) => !exact)]
}
