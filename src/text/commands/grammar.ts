// All commands, and which of them an utterance may mean, likeliest first.
// Pure: what is done about it, and when nothing is, src/commands decides.

import { once } from '../../lib/once.ts'
import { ACTION_RULES } from './action-rules.ts'
import { CASE_RULES } from './case-rules.ts'
import { LINE_RULES } from './line-rules.ts'
import { LIST_RULES } from './list-rules.ts'
import { MARKUP_RULES } from './markup-rules.ts'
import { PART_RULES } from './part-rules.ts'
import { compileCommandPattern, type Params } from './pattern.ts'
import type { CommandRule } from './rule.ts'
import { TIDY_RULES } from './tidy-rules.ts'
import { readingsOf } from './utterance.ts'
import { WORD_RULES } from './word-rules.ts'
import { WRAP_RULES } from './wrap-rules.ts'

/** In the order in which they are tried: what takes words that are not its own comes last. */
export const COMMAND_RULES: readonly CommandRule[] = [
  ...ACTION_RULES,
  ...CASE_RULES,
  ...LIST_RULES,
  ...LINE_RULES,
  ...MARKUP_RULES,
  ...WRAP_RULES,
  ...TIDY_RULES,
  ...PART_RULES,
  ...WORD_RULES,
]

/** The name of a command that takes nothing more is a way to say it. */
const phrasesOf = ({ name, patterns }: CommandRule): string[] =>
  patterns.some((source) => !/\{|<unit>/.test(source)) ? [...new Set([name, ...patterns])] : [...patterns]

const compiledRules = once(() =>
  COMMAND_RULES.flatMap((rule) =>
    phrasesOf(rule).map((source) => ({ rule, pattern: compileCommandPattern(source) })),
  ),
)

export type Understood = {
  rule: CommandRule
  params: Params
  /** whether it was said in words that are all the command's own */
  exact: boolean
}

/**
 * The whole utterance must be a command; a command inside longer speech is dictation. Several may be meant, since
 * "change the tone to friendly" names something that the text has or has not.
 */
export function understand(utterance: string): Understood[] {
  const found: Understood[] = []
  for (const reading of readingsOf(utterance)) {
    for (const { rule, pattern } of compiledRules()) {
      const params = pattern.match(reading)
      if (params === null) continue
      found.push({ rule, params, exact: !pattern.open })
    }
  }
  // A command that says all itself goes before one that takes words, whichever reading it came from.
  return [...found.filter(({ exact }) => exact), ...found.filter(({ exact }) => !exact)]
}
