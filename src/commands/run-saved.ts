// Runs the steps of a saved command in order: all of them, or none if one fails.

import type { CommandContext } from '../text/commands/rule.ts'
import type { RunEffect } from './command-run.ts'
import { changedText, pressing, unchanged } from './effects.ts'
import { runBuiltIn } from './run-built-in.ts'
import type { SavedCommand } from './saved-command.ts'

type Steps = Pick<SavedCommand, 'id' | 'name'> & { steps: readonly string[] }

export function runSteps({ id, name, steps }: Steps, text: string, context: CommandContext): RunEffect {
  const command = { commandId: id, name }
  let output = text
  let target: RunEffect['target'] = 'replace_selection'
  const keys: string[] = []
  for (const step of steps) {
    const run = runBuiltIn(step, output, context)
    if (!run.done) {
      const { status, message } = stopOf(run.why, step)
      return unchanged(text, { status, message }, command)
    }
    if (run.effect.kind === 'action') keys.push(...run.effect.keys)
    else if (run.effect.status === 'succeeded') {
      output = run.effect.output
      if (run.effect.target === 'clipboard') target = 'clipboard'
    }
  }
  if (output === text && keys.length > 0) return pressing(text, keys, command)
  return changedText(text, output, { ...command, target, keys })
}

function stopOf(why: RunEffect | null, step: string) {
  const message = why?.error?.message ?? 'This built-in command no longer exists.'
  const status = why?.status === 'no_text' ? ('no_text' as const) : ('no_match' as const)
  return { status, message: status === 'no_text' ? message : `At the step "${step}": ${message}` }
}
