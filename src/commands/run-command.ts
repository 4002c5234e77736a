// From an instruction to what it does: the grammar, then saved commands, then a language model, then nothing.
// Keeps nothing and changes nothing but the text it gives back.

import { MAX_UTTERANCE_CHARACTERS } from '../text/commands/utterance.ts'
import { askModel, type ModelDeps } from './ask-model.ts'
import type { RunEffect, RunRequest } from './command-run.ts'
import { unchanged } from './effects.ts'
import { runBuiltIn } from './run-built-in.ts'
import { runSteps } from './run-saved.ts'
import type { SavedCommands } from './saved-commands.ts'

export type RunDeps = ModelDeps & { saved: Pick<SavedCommands, 'find'> }

/** A text that a few commands have doubled again and again. */
const MAX_OUTPUT_CHARACTERS = 200_000

/** Gives back the text unchanged wherever there is doubt. */
export async function runVoiceCommand(deps: RunDeps, request: RunRequest): Promise<RunEffect> {
  const { instruction, selectedText: text } = request
  if (request.signal.aborted) return unchanged(text, { status: 'canceled', message: 'It was cancelled.' })
  if (instruction.trim() === '') return unchanged(text, { status: 'no_text', message: 'Nothing was said.' })
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
    const asked = { request, instruction: instructions ?? instruction, commandId, name }
    return (await askModel(deps, asked)) ?? unchanged(text, NO_MODEL, { commandId, name })
  }
  const written = await askModel(deps, { request, instruction, commandId: null, name: null })
  return written ?? builtIn.why ?? unchanged(text, NO_MODEL)
}

const NO_MODEL = {
  status: 'unsupported',
  code: 'llm_not_configured',
  message:
    'This needs a language model, and none is set: PATCH /settings/captures {"llm_base_url": "http://127.0.0.1:11434/v1"} names one, such as Ollama\'s. GET /commands lists what needs none.',
} as const

/** What no client could keep is no result. */
function checked(text: string, effect: RunEffect): RunEffect {
  const { output, commandId, name, usedLlm, model } = effect
  const more = { commandId, name, usedLlm, model }
  if (output.length > MAX_OUTPUT_CHARACTERS && output !== text)
    return unchanged(text, { status: 'too_long', message: 'The result would be too long.' }, more)
  if (output.includes('\0') || !output.isWellFormed())
    return unchanged(text, { status: 'failed', message: 'The result would be no valid text.' }, more)
  return effect
}
