// Runs what the grammar understood in an instruction, on a text.
// Saved commands and the language model are asked by run-command.ts.

import { understand } from '../text/commands/grammar.ts'
import type { CommandContext } from '../text/commands/rule.ts'
import type { RunEffect } from './command-run.ts'
import { changedText, insertion, pressing, unchanged } from './effects.ts'

export type BuiltInRun =
  | { done: true; effect: RunEffect }
  /** nobody did anything; `why` says what stood in the way, where a command was understood at all */
  | { done: false; why: RunEffect | null }

/** Never throws. Of several commands that may be meant, the first whose words fit the text is the one. */
export function runBuiltIn(instruction: string, text: string, context: CommandContext): BuiltInRun {
  let why: RunEffect | null = null
  for (const { rule, params } of understand(instruction)) {
    const { name } = rule
    if (rule.kind === 'action') return { done: true, effect: pressing(text, rule.keys(params), { name }) }
    if (rule.kind === 'insert') return { done: true, effect: insertion(rule.inserted, { name }) }
    if (text.trim() === '') {
      why ??= unchanged(
        text,
        { status: 'no_text', message: 'Select the text that is to be changed.' },
        { name },
      )
      continue
    }
    const output = rule.apply(text, params, context)
    if (output !== null) {
      const { target } = rule
      return { done: true, effect: changedText(text, output, { name, target }) }
    }
    why ??= unchanged(text, { status: 'no_match', message: notThere(name) }, { name })
  }
  return { done: false, why }
}

const notThere = (name: string): string =>
  `The text does not have what this names, so that "${name}" has nothing to work on.`
