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
const RULES_BY_GROUP = {
  keys: PRESS_RULES,
  case: CASE_RULES,
  lines: LINE_RULES,
  format: FORMAT_RULES,
  tidy: TIDY_RULES,
  parts: POSITION_RULES,
  words: WORD_RULES,
} satisfies Record<string, readonly CommandRule[]>

export type CommandGroup = keyof typeof RULES_BY_GROUP
export const COMMAND_GROUPS = Object.keys(RULES_BY_GROUP) as CommandGroup[]

export const COMMAND_RULES: readonly CommandRule[] = Object.values(RULES_BY_GROUP).flat()

const groups = once(
  () => new Map(COMMAND_GROUPS.flatMap((group) => RULES_BY_GROUP[group].map(({ name }) => [name, group]))),
)

export const groupOfCommand = ({ name }: Pick<CommandRule, 'name'>): CommandGroup => groups().get(name)!

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
