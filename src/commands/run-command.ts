// Runs an instruction: tries the grammar, then saved commands, then a language model.

import { MAX_UTTERANCE_CHARACTERS } from '../text/commands/utterance.ts'
import { askModel, type ModelDeps } from './ask-model.ts'
import type { RunEffect, RunRequest } from './command-run.ts'
import { unchanged } from './effects.ts'
import { runBuiltIn } from './run-built-in.ts'
import { runSteps } from './run-saved.ts'
import type { SavedCommands } from './saved-commands.ts'

export type RunDeps = ModelDeps & { saved: Pick<SavedCommands, 'find'> }

/** Repeated commands such as "duplicate" can double a text without limit. */
const MAX_OUTPUT_CHARACTERS = 200_000

/** Returns the text unchanged if in doubt. */
export async function runVoiceCommand(deps: RunDeps, request: RunRequest): Promise<RunEffect> {
  const { instruction, selectedText: text } = request
  if (request.signal.aborted)
    return unchanged(text, { status: 'canceled', message: 'The command was canceled.' })
  if (instruction.trim() === '')
    return unchanged(text, { status: 'no_text', message: 'The instruction is empty.' })
  if (instruction.length > MAX_UTTERANCE_CHARACTERS) {
    const message = `The instruction is longer than ${MAX_UTTERANCE_CHARACTERS} characters.`
    return unchanged(text, { status: 'too_long', message })
  }
  return checked(text, await find(deps, request))
}

async function find(deps: RunDeps, request: RunRequest): Promise<RunEffect> {
  const { instruction, selectedText: text, language } = request
  const builtIn = runBuiltIn(instruction, text, { language })
  if (builtIn.done) return builtIn.effect
  const saved = deps.saved.find(instruction)
  if (saved !== null) {
    const { id: commandId, name, steps, instructions } = saved
    if (steps !== null) return runSteps({ id: commandId, name, steps }, text, { language })
    const run = { request, instruction: instructions ?? instruction, commandId, name }
    return (await askModel(deps, run)) ?? unchanged(text, NO_MODEL, { commandId, name })
  }
  const written = await askModel(deps, { request, instruction, commandId: null, name: null })
  return written ?? builtIn.why ?? unchanged(text, NO_MODEL)
}

const NO_MODEL = {
  status: 'unsupported',
  code: 'llm_not_configured',
  message:
    'This instruction needs a language model, and none is configured. To use Ollama, send PATCH /settings/captures {"llm_base_url": "http://127.0.0.1:11434/v1"}. GET /commands lists the commands that need no model.',
} as const

/** Rejects a result that clients cannot store. */
function checked(text: string, effect: RunEffect): RunEffect {
  const { output, commandId, name, usedLlm, model } = effect
  const more = { commandId, name, usedLlm, model }
  if (output.length > MAX_OUTPUT_CHARACTERS && output !== text)
    return unchanged(text, { status: 'too_long', message: 'The result would be too long.' }, more)
  if (output.includes('\0') || !output.isWellFormed())
    return unchanged(text, { status: 'failed', message: 'The result would not be valid text.' }, more)
  return effect
}
