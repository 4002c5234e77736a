// Matches an instruction against the built-in commands and runs the match on a text.

import { understand } from '../text/commands/grammar.ts'
import type { CommandContext } from '../text/commands/rule.ts'
import type { RunEffect } from './command-run.ts'
import { changedText, insertion, pressing, unchanged } from './effects.ts'

export type BuiltInRun =
  | { done: true; effect: RunEffect }
  /** no command ran; `why` is the reason if a command matched the instruction, else null */
  | { done: false; why: RunEffect | null }

/** Never throws. If several commands match the instruction, runs the first that applies to the text. */
export function runBuiltIn(instruction: string, text: string, context: CommandContext): BuiltInRun {
  let why: RunEffect | null = null
  for (const { rule, params } of understand(instruction)) {
    const { name } = rule
    if (rule.kind === 'action') return { done: true, effect: pressing(text, rule.keys(params), { name }) }
    if (rule.kind === 'insert') return { done: true, effect: insertion(rule.inserted, { name }) }
    if (text.trim() === '') {
      why ??= unchanged(text, { status: 'no_text', message: 'Select the text to change.' }, { name })
      continue
    }
    const output = rule.apply(text, params, context)
    if (output !== null) {
      const { target } = rule
      return { done: true, effect: changedText(text, output, { name, target }) }
    }
    why ??= unchanged(text, { status: 'no_match', message: noMatch(name) }, { name })
  }
  return { done: false, why }
}

const noMatch = (name: string): string =>
  `The text does not contain what the instruction names, so "${name}" has nothing to change.`
