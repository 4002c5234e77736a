// Command Mode for http/: runs instructions, and gives access to the built-in commands, saved commands and history.

import { newId } from '../lib/uuid.ts'
import type { ShelfDeps } from '../library/shelf.ts'
import { COMMAND_RULES } from '../text/commands/grammar.ts'
import type { CommandRule } from '../text/commands/rule.ts'
import type { ModelDeps } from './ask-model.ts'
import { type RunEffect, type RunOutcome, type RunRequest, unchanged } from './command-run.ts'
import { type CommandHistory, createCommandHistory } from './history.ts'
import { runVoiceCommand } from './run-command.ts'
import { openSavedCommands, type SavedCommands } from './saved-commands.ts'

const INTERNAL_ERROR = 'Something went wrong inside the server.'

export type CommandsDeps = ModelDeps & ShelfDeps & { dataFolder: string }

export type Commands = {
  /** Never throws: after an error the output is the input. */
  run(request: RunRequest): Promise<RunOutcome>
  builtIn: readonly CommandRule[]
  saved: SavedCommands
  history: CommandHistory
}

export async function openCommands(deps: CommandsDeps): Promise<Commands> {
  const saved = await openSavedCommands(deps)
  const history = createCommandHistory(deps)
  const { clock, log } = deps

  async function attempt(request: RunRequest): Promise<RunEffect> {
    try {
      return await runVoiceCommand({ ...deps, saved }, request)
    } catch (error) {
      log.error({ reason: String(error) }, 'command failed unexpectedly, text left unchanged')
      return unchanged(request.selectedText, { status: 'failed', message: INTERNAL_ERROR })
    }
  }

  return {
    builtIn: COMMAND_RULES,
    saved,
    history,
    async run(request) {
      const effect = await attempt(request)
      const outcome = outcomeOf(request, effect, clock())
      if (request.dryRun) return outcome
      await history.add(outcome)
      if (effect.commandId !== null && effect.status === 'succeeded') saved.noteUse(effect.commandId)
      return outcome
    },
  }
}

function outcomeOf(request: RunRequest, effect: RunEffect, now: Date): RunOutcome {
  const { instruction, selectedText: input, transcript, startedAtMs } = request
  const { commandId, name, output, ...rest } = effect
  return {
    id: newId(now),
    ...rest,
    command: { id: commandId, name, instruction },
    input,
    output,
    changed: output !== input,
    transcript,
    durationMs: Math.round(performance.now() - startedAtMs),
    createdAt: now,
  }
}
